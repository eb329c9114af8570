using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reports a deletion of many objects: counts them, writes failures as they happen, and stops after an error that every object would share.</summary>
/// <remarks>Not thread-safe: the library reports one object at a time.</remarks>
internal sealed class RemoveReport(RemoveSettings settings, Invocation invocation, IProgressView view, CancellationTokenSource stop)
{
    private readonly Tally _tally = invocation.Tally;
    private readonly ManyFailures _failures = new(invocation, view, stop);
    private readonly bool _names = invocation.Telemetry.LogLevel <= LogLevel.Information;
    private long _bytes;

    /// <summary>Gets the error that stopped the deletion even though it is set to continue after failures; null if there was none.</summary>
    public Exception? Fatal => _failures.Fatal;

    public bool IsEmpty => _tally.Objects + _tally.Failed == 0;

    /// <summary>Counts an object whose deletion has ended.</summary>
    public void Ended(Outcome outcome)
    {
        invocation.Report?.Add(outcome, moves: false);
        if (outcome.Status == OutcomeStatus.Failed)
        {
            _failures.Add(outcome.Error!);
            return;
        }

        _failures.NoteSuccess();
        _tally.Objects++;
        _bytes += outcome.Bytes;
        if (settings.DryRun)
        {
            invocation.Usage.Plan(outcome.Usage);
            _failures.WritePlanned(PlannedJson.Delete(outcome.Target!, settings.Keys is null ? outcome.Bytes : null, outcome.VersionId));
        }
        else if (_names)
        {
            invocation.Log(LogLevel.Information, $"deleted {(outcome.VersionId is null ? string.Empty : $"version {outcome.VersionId} of ")}{outcome.Target}");
        }
    }

    /// <summary>Writes the counts to the result. Also called for a deletion that was stopped.</summary>
    public void Finish()
    {
        (_tally.Bytes, _tally.HasRate) = (_bytes, false);
        if (_tally.Failed > 0)
        {
            invocation.ExitCode = ExitCode.Failed;
        }
    }

    /// <summary>Writes the summary.</summary>
    public void Summarize()
    {
        TimeSpan elapsed = _tally.Elapsed;
        string size = settings.Keys is null ? $", {ByteSize.Format(_bytes)}" : string.Empty; // a list of keys has no sizes
        string objects = $"{settings.Count(_tally.Objects)}{size}";
        string rate = elapsed > TimeSpan.Zero && _tally.Objects >= elapsed.TotalSeconds ? $" ({Units.Number((long)(_tally.Objects / elapsed.TotalSeconds))} objects/s)" : string.Empty;
        List<string> facts = [settings.DryRun ? $"would delete {objects}" : $"deleted {objects} in {Units.Duration(elapsed)}{rate}"];
        if (_tally.Failed > 0)
        {
            facts.Add($"{Units.Number(_tally.Failed)} failed");
        }

        if (Fatal is TransferException && !FatalErrorDetector.IsLimit(Fatal))
        {
            facts.Add("stopped because every object would fail with the same error");
        }

        invocation.Console.Flush();
        invocation.Summary(string.Join(", ", facts));
        invocation.Usage.Summarize(invocation);
    }
}
