using System.Runtime.ExceptionServices;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Compares a folder with a prefix, or two prefixes, shows the progress, and writes each difference when it is found.</summary>
internal sealed class VerifyTreeRunner(
    Location source, Location target, VerifyDirectoryOptions options, KeyListSettings? list, ClientLimits limits, CopyConnections connections, Invocation invocation)
{
    private readonly ListWriter _writer = new(invocation);
    private readonly KeyListReader? _keys = list is null ? null : new KeyListReader(list, source.Kind == LocationKind.S3 ? source.Folder : target.Folder);
    private IOException? _closed;

    private string SourceName => source.Kind == LocationKind.S3 ? source.ToString() : $"'{source.Text}'";

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        CopyClients clients = connections.CreateClients(limits, invocation);
        await using (clients.ConfigureAwait(false))
        {
            DirectoryResult result;
            try
            {
                using IProgressView view = ProgressViews.Create(invocation.Output, invocation.Console, source.Text, invocation.Time);
                invocation.View = view;
                VerifyDirectoryOptions telling = options with
                {
                    ObjectEnded = difference => Found(difference, view, stop),
                    Keys = _keys?.ReadAsync(CancellationToken.None).Select(static one => one.Key),
                };
                TransferWatch watch = new(view, invocation.Tally);
                result = await (clients.Other is { } other
                    ? clients.Source.VerifyTreeAsync(source.Place, other, target.Place, telling, watch, stop.Token)
                    : clients.Source.VerifyTreeAsync(source.Place, target.Place, telling, watch, stop.Token)).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_closed is not null && !cancellationToken.IsCancellationRequested)
            {
                ExceptionDispatchInfo.Throw(_closed);
                throw;
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = clients.PeakRentedBytes;
            }

            if (_closed is not null)
            {
                ExceptionDispatchInfo.Throw(_closed);
            }

            Count(result);
            if (_keys?.Error is { } error)
            {
                throw error;
            }

            Conclude();
        }
    }

    private void Count(DirectoryResult result)
    {
        Tally tally = invocation.Tally;
        Counts counts = result.Counts;
        tally.Failed = counts.Different + counts.OnlyAtTarget + counts.OnlyAtSource + counts.NotCompared + counts.Failed;
        tally.Objects = counts.Same + tally.Failed;
        tally.Bytes = counts.Bytes;
        tally.Set(result.Statistics);
        tally.Compared = ComparedJson.From(counts);
    }

    /// <summary>Writes a difference. Called for one at a time.</summary>
    private void Found(Outcome difference, IProgressView view, CancellationTokenSource stop)
    {
        invocation.Tally.Failed++;
        if (_closed is not null)
        {
            return;
        }

        try
        {
            if (invocation.Console.OutputIsTerminal)
            {
                view.Aside(() => Write(difference));
            }
            else
            {
                Write(difference);
            }
        }
        catch (IOException e)
        {
            _closed = e; // the reader has closed standard output
            _ = stop.CancelAsync();
        }
    }

    private void Write(Outcome difference)
    {
        Failure? failure = difference.Error is null ? null : Failure.From(difference.Error, invocation.StoreName, CancellationToken.None);
        string text = failure?.Message ?? difference.Reason!;
        (string key, string? other) = source.Kind == LocationKind.S3
            ? (source.Folder.Key + difference.Name, target.Folder.Key + difference.Name)
            : (target.Folder.Key + difference.Name, difference.Source);
        _writer.Difference(ComparedText.GetName(difference.Status), key, other, text);
        if (difference.Status is OutcomeStatus.Failed or OutcomeStatus.NotCompared)
        {
            invocation.Tally.AddError(new ErrorJson(key, text, failure?.RequestId));
        }

        invocation.Console.Flush(); // a comparison can take hours
    }

    private void Conclude()
    {
        if (invocation.Tally.Objects == 0 && FilterText.NothingMatched(options.Filter, !options.IncludeHidden) is { } reason)
        {
            throw new TransferException($"{SourceName} and {target}: {reason}") { Bucket = target.Bucket, Key = target.Key };
        }

        ComparedText.Conclude(invocation.Tally.Compared!, SourceName, target, invocation);
    }
}
