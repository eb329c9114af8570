using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Compares two objects, of one store or of two.</summary>
internal sealed class VerifyObjectsRunner(VerifyStoresPlan plan, VerifyOptions options, DateTimeOffset? asOf, ClientLimits limits, CopyConnections connections, Invocation invocation)
{
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        CopyClients clients = connections.CreateClients(limits, invocation);
        await using (clients.ConfigureAwait(false))
        {
            try
            {
                ListedObject? past = asOf is { } time ? await clients.Source.FindVersionAsync(plan.Source.Bucket, plan.Source.Key, time, options, cancellationToken).ConfigureAwait(false) : null;
                VerifyOptions of = past is null ? options : options with { VersionId = past.VersionId };
                VerifyResult result = await clients.Source.VerifyAsync(plan.Source.Uri, clients.Target, plan.Target.Uri, of, cancellationToken: cancellationToken).ConfigureAwait(false);
                VerifyRunner.Count(result, invocation.Tally);
                VerifyRunner.Conclude(result, plan.Source.ToString(), plan.Target, invocation);
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = clients.PeakRentedBytes;
            }
        }
    }
}
