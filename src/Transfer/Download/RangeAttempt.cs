using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>A range request that waits for its response.</summary>
/// <param name="guard">Cancels the request.</param>
/// <param name="startedAt">The timestamp at which it was sent.</param>
/// <param name="response">A task that completes when the headers of the response have arrived.</param>
internal sealed class RangeAttempt(StallGuard guard, long startedAt, Task<OpenRange> response)
{
    public StallGuard Guard => guard;

    public long StartedAt => startedAt;

    public Task<OpenRange> Response => response;

    /// <summary>Cancels the request, because another one replaced it, and disposes the response if there is one.</summary>
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
