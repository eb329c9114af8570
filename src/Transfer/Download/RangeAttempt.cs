using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>One range request on its way to its response.</summary>
/// <param name="guard">Cancels the request.</param>
/// <param name="startedAt">When it was sent, as a timestamp.</param>
/// <param name="response">Ends with the response's headers.</param>
internal sealed class RangeAttempt(StallGuard guard, long startedAt, Task<OpenRange> response)
{
    public StallGuard Guard => guard;

    public long StartedAt => startedAt;

    public Task<OpenRange> Response => response;

    /// <summary>Cancels the request, because another one took its place, and disposes the response if there is one.</summary>
    public async Task AbandonAsync()
    {
        if (!Response.IsCompleted)
        {
            guard.Abandon();
        }

        await ((Task)Response).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (Response.IsCompletedSuccessfully)
        {
            Response.Result.Dispose();
        }
    }
}
