using Transfer.Concurrency;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>One range request on its way to its response.</summary>
/// <param name="slot">The slot of the request.</param>
/// <param name="guard">Cancels the request.</param>
/// <param name="startedAt">When it was sent, as a timestamp.</param>
internal sealed class RangeAttempt(RequestSlot slot, StallGuard guard, long startedAt)
{
    public RequestSlot Slot => slot;

    public StallGuard Guard => guard;

    public long StartedAt => startedAt;

    /// <summary>Gets or sets the task that ends with the response's headers.</summary>
    public required Task<OpenRange> Response { get; set; }

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
