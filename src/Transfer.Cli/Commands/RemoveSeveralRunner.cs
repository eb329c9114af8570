using System.Runtime.ExceptionServices;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Deletes several objects by their keys, in batches. As for one object, a key that doesn't exist is a failure, because it was probably mistyped.</summary>
internal sealed class RemoveSeveralRunner(RemoveSettings settings, Connection connection, Invocation invocation)
{
    /// <summary>The objects that are looked up at the same time. Their requests share the client's limits.</summary>
    private const int MaxAtOnce = 32;

    private readonly Lock _gate = new();

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        RemoveReport report = new(settings, invocation, NoProgress.Instance, stop);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            bool isDone = false;
            try
            {
                foreach (IGrouping<string, Location> bucket in settings.Several.Distinct().GroupBy(static address => address.Bucket))
                {
                    await DeleteAsync(client, bucket.Key, [.. bucket], report, stop.Token).ConfigureAwait(false);
                }

                isDone = true;
            }
            catch (OperationCanceledException) when (report.Fatal is not null && !cancellationToken.IsCancellationRequested)
            {
                ExceptionDispatchInfo.Throw(report.Fatal);
            }
            finally
            {
                report.Finish();
                if (!isDone && !report.IsEmpty)
                {
                    report.Summarize(); // before the error, so that the error is the last line
                }
            }
        }

        report.Summarize();
    }

    private async Task DeleteAsync(TransferClient client, string bucket, Location[] addresses, RemoveReport report, CancellationToken cancellationToken)
    {
        ObjectKey?[] found = new ObjectKey?[addresses.Length];
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxAtOnce, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, addresses.Length, parallel, async (i, token) => found[i] = await FindAsync(client, addresses[i], report, token).ConfigureAwait(false)).ConfigureAwait(false);
        ObjectKey[] keys = [.. found.OfType<ObjectKey>()];
        if (keys.Length == 0)
        {
            return;
        }

        DeleteDirectoryOptions options = new()
        {
            Keys = keys.ToAsyncEnumerable(),
            DryRun = settings.DryRun,
            RequesterPays = settings.RequesterPays,
            OnFailure = FailurePolicy.Continue,
            ObjectEnded = report.Ended,
        };
        await client.DeleteTreeAsync(bucket, string.Empty, options, null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Looks an object up.</summary>
    /// <returns>Null if it is a failure. What can't be read can be deleted nevertheless, but then its size isn't known.</returns>
    private async ValueTask<ObjectKey?> FindAsync(TransferClient client, Location address, RemoveReport report, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo info = await client.GetInfoAsync(address.Bucket, address.Key, new ObjectAccessOptions { RequesterPays = settings.RequesterPays }, cancellationToken).ConfigureAwait(false);
            return new ObjectKey { Key = address.Key, Length = info.Length };
        }
        catch (TransferException e) when (RemoveCommand.CanBeDeletedUnread(e))
        {
            return new ObjectKey { Key = address.Key };
        }
        catch (TransferException e)
        {
            string? advice = KeyAdvice.IsMissing(e) && KeyPattern.Find(address) is not null
                ? $"{address}: there is no such object; wildcards are only expanded in a single address" : null;
            Outcome failed = new()
            {
                Operation = ObjectOperation.Delete,
                Status = OutcomeStatus.Failed,
                Name = address.Key,
                Bytes = 0,
                To = Place.InBucket(address.Bucket, string.Empty),
                Error = advice is null ? e : new TransferException(advice, e) { Bucket = address.Bucket, Key = address.Key, RequestId = e.RequestId },
            };
            lock (_gate)
            {
                report.Ended(failed);
            }

            return null;
        }
    }
}
