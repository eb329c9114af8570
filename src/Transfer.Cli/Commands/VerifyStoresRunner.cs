using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Compares two objects, or all objects under two prefixes, and writes each difference when it is found.</summary>
internal sealed class VerifyStoresRunner(
    VerifyStoresPlan plan, StoreVerifyOptions options, ObjectFilter? filter, DateTimeOffset? asOf, ClientLimits limits, CopyConnections connections, Invocation invocation)
{
    private readonly ListWriter _writer = new(invocation);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        CopyClients clients = connections.CreateClients(limits, invocation, countsRequests: plan.IsTree);
        await using (clients.ConfigureAwait(false))
        {
            try
            {
                await (plan.IsTree ? CompareAllAsync(clients, cancellationToken) : CompareAsync(clients, cancellationToken)).ConfigureAwait(false);
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = clients.PeakRentedBytes;
            }
        }
    }

    private async Task CompareAsync(CopyClients clients, CancellationToken cancellationToken)
    {
        ListedObject? past = asOf is { } time ? await clients.Source.FindVersionAsync(plan.Source.Bucket, plan.Source.Key, time, options.Source, cancellationToken).ConfigureAwait(false) : null;
        StoreVerifyOptions of = past is null ? options : options with { Source = options.Source with { VersionId = past.VersionId } };
        VerifyResult result = await clients.Source.VerifyAsync(plan.Source.Uri, clients.Target, plan.Target.Uri, of, cancellationToken).ConfigureAwait(false);
        VerifyRunner.Count(result, invocation.Tally);
        VerifyRunner.Conclude(result, plan.Source.ToString(), plan.Target, invocation);
    }

    private async Task CompareAllAsync(CopyClients clients, CancellationToken cancellationToken)
    {
        long started = invocation.Time.GetTimestamp();
        Counts counts = default;
        Tally tally = invocation.Tally;
        await foreach (Outcome action in EnumerateAsync(clients, cancellationToken).ConfigureAwait(false))
        {
            Outcome compared = action with { Operation = ObjectOperation.Compare, Status = GetStatus(action) };
            counts += Counts.Of(compared);
            if (compared.Status == OutcomeStatus.Same)
            {
                tally.Bytes += action.Bytes;
            }
            else
            {
                Write(compared);
            }
        }

        tally.Failed = counts.Different + counts.OnlyAtSource + counts.OnlyAtTarget + counts.NotCompared + counts.Failed;
        tally.Objects = counts.Same + tally.Failed;
        tally.Elapsed = invocation.Time.GetElapsedTime(started);
        tally.Compared = ComparedJson.From(counts);
        if (tally.Objects == 0 && FilterText.NothingMatched(filter, leavesOutHidden: false) is { } reason)
        {
            throw new TransferException($"{plan.Source} and {plan.Target}: {reason}") { Bucket = plan.Source.Bucket, Key = plan.Source.Key };
        }

        ComparedText.Conclude(tally.Compared, plan.Source.ToString(), plan.Target, invocation);
    }

    /// <summary>Plans a synchronization that isn't carried out. What it would do is what differs.</summary>
    private IAsyncEnumerable<Outcome> EnumerateAsync(CopyClients clients, CancellationToken cancellationToken)
    {
        SyncOptions sync = new()
        {
            Comparison = options.ReadContent ? SyncComparison.Content : SyncComparison.Auto,
            UseState = false,
            Delete = true,
            DeleteDespiteFailures = true,
            MaxDelete = DeletionLimit.Percent(100),
            AllowEmptySource = true,
            Directory = new DirectoryOptions { Filter = filter, AsOf = asOf, OnFailure = FailurePolicy.Continue, MaxConcurrentObjects = limits.Concurrency },
        };
        return clients.Other is { } other
            ? clients.Source.PlanSyncAsync(
                plan.Source.Place,
                other,
                plan.Target.Place,
                sync with { Directory = sync.Directory with { Download = new DownloadOptions { RequesterPays = options.Source.RequesterPays } } },
                cancellationToken)
            : clients.Source.PlanSyncAsync(
                plan.Source.Place,
                plan.Target.Place,
                sync with { Directory = sync.Directory with { Copy = new CopyOptions { RequesterPays = options.Source.RequesterPays } } },
                cancellationToken);
    }

    private static OutcomeStatus GetStatus(Outcome action) => action switch
    {
        { Status: OutcomeStatus.Same } => OutcomeStatus.Same,
        { Status: OutcomeStatus.Planned, Operation: ObjectOperation.Copy } => OutcomeStatus.OnlyAtSource,
        { Status: OutcomeStatus.Planned, Operation: ObjectOperation.Delete } => OutcomeStatus.OnlyAtTarget,
        { Status: OutcomeStatus.Planned, LacksEvidence: true } => OutcomeStatus.NotCompared,
        { Status: OutcomeStatus.Planned } => OutcomeStatus.Different,
        _ => OutcomeStatus.Failed,
    };

    private void Write(Outcome action)
    {
        Failure? failure = action.Error is null ? null : Failure.From(action.Error, invocation.StoreName, CancellationToken.None);
        string text = failure?.Message ?? action.Status switch
        {
            OutcomeStatus.OnlyAtSource => $"not in {plan.Target}",
            OutcomeStatus.OnlyAtTarget => $"not in {plan.Source}",
            OutcomeStatus.NotCompared => "the stores have no checksums or ETags of both objects that can be compared, and reading the objects is turned off",
            _ => $"the {action.Reason} differs",
        };
        string key = plan.Source.Key + action.Name;
        _writer.Difference(ComparedText.GetName(action.Status), key, plan.Target.Key + action.Name, text);
        if (action.Status is OutcomeStatus.Failed or OutcomeStatus.NotCompared)
        {
            invocation.Tally.AddError(new ErrorJson(key, text, failure?.RequestId));
        }

        invocation.Console.Flush(); // a comparison can take hours
    }
}
