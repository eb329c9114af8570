using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>What a job copies from where to where, and the clients that do it.</summary>
/// <param name="Client">The client of the source, or of the only store.</param>
/// <param name="Other">The client of the target; null if there is only one store.</param>
/// <param name="Source">The source.</param>
/// <param name="Target">The target.</param>
internal sealed record JobSides(TransferClient Client, TransferClient? Other, Place Source, Place Target)
{
    /// <summary>Gets the sides of a plan.</summary>
    /// <exception cref="TransferException">Thrown when the clients don't fit.</exception>
    public static JobSides From(JobPlan plan, TransferClient client, TransferClient? other) => plan.HasTwoStores == (other is not null)
        ? new JobSides(client, other, plan.Source, plan.Target)
        : throw new TransferException(plan.HasTwoStores
            ? $"The job copies from {plan.Source} to {plan.Target} in another store. Specify the connections of both stores."
            : $"The job copies from {plan.Source} to {plan.Target} with one store. Specify the connection of one store.");

    /// <summary>Validates the options, and opens both sides. The caller disposes the result if it can be disposed.</summary>
    public Pairing Open(TreeTransferOptions options) => Pairing.Plan(Client.Context, Other?.Context, Source, Target, options, PairingUse.Sync);

    /// <summary>Opens both sides for a call at each of their stores.</summary>
    /// <param name="options">The options.</param>
    /// <param name="runAsync">Receives the direction, the call at the source, the call at the target, and the token.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<T> RunAsync<T>(TreeTransferOptions options, Func<Pairing, TransferRun, TransferRun, CancellationToken, Task<T>> runAsync, CancellationToken cancellationToken)
    {
        Pairing sync = Open(options);
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            return await BeginCounting(Client, Source.IsLocal ? Target : Source).RunAsync(
                (reading, token) => Other is null ? BeginAsync(reading, reading, token)
                    : BeginCounting(Other, Target).RunAsync((writing, stopping) => BeginAsync(reading, writing, stopping), token),
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            sync.Dispose();
        }

        Task<T> BeginAsync(TransferRun reading, TransferRun writing, CancellationToken token)
        {
            sync.Begin(reading, writing);
            return runAsync(sync, reading, writing, token);
        }

        static TransferRun BeginCounting(TransferClient client, Place place) => client.Context.BeginCounting(place.Bucket!, place.Prefix!);
    }

    /// <summary>Gets the client of the target, which runs the job.</summary>
    public TransferClient Writer => Other ?? Client;
}
