using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reports a copy of many objects: counts them, writes failures as they happen, and stops the copy after an error that every object would share.</summary>
/// <remarks>Not thread-safe: the library reports one object at a time.</remarks>
internal sealed class FolderReport(CopySettings copy, FolderSettings folder, Invocation invocation, IProgressView view, CancellationTokenSource stop)
{
    private readonly Tally _tally = invocation.Tally;
    private readonly ManyFailures _failures = new(invocation, view, stop, folder.TriesAll);
    private long _bytes;
    private long _skipped;
    private long _verified;
    private bool _hasMismatch;
    private ChecksumAlgorithm? _algorithm;

    /// <summary>Gets the error that stopped the copy even though it is set to continue after failures; null if there was none.</summary>
    public Exception? Fatal => _failures.Fatal;

    /// <summary>Gets what the summary says in addition.</summary>
    public List<string> Facts { get; } = [];

    public bool IsEmpty => _tally.Objects + _tally.Failed + _skipped + _tally.Archived + _tally.Restoring == 0;

    /// <summary>Counts an object whose copy has ended.</summary>
    public void Ended(Outcome outcome)
    {
        switch (outcome.Status)
        {
            case OutcomeStatus.Skipped:
                _failures.NoteSuccess();
                _skipped++;
                break;
            case OutcomeStatus.Archived:
                _failures.NoteSuccess();
                _tally.Archived++;
                break;
            case OutcomeStatus.Restoring:
                _failures.NoteSuccess();
                _tally.Restoring++;
                break;
            case OutcomeStatus.Failed or OutcomeStatus.Conflict:
                Failed(outcome.Error!);
                break;
            case OutcomeStatus.Planned:
                Moved(outcome);
                if (outcome.Usage != default) // several sources, which aren't one tree, have no estimate
                {
                    invocation.Usage.Plan(outcome.Usage);
                }

                _failures.WritePlanned(PlannedJson.Copy(copy.Moves, outcome.Source ?? string.Empty, outcome.Target ?? string.Empty, folder.Keys is null ? outcome.Bytes : null));
                break;
            default:
                Moved(outcome);
                break;
        }
    }

    /// <summary>Writes the counts to the result. Also called for a copy that was stopped.</summary>
    public void Finish()
    {
        _tally.Bytes = _bytes;
        _tally.HasRate = !copy.DryRun;
        if (_hasMismatch || (_tally.Objects > 0 && !copy.DryRun))
        {
            string verdict = _hasMismatch ? "mismatch" : _verified == _tally.Objects ? "verified" : "unverified";
            _tally.Checksum = new ChecksumJson(_algorithm is { } algorithm ? ChecksumText.GetName(algorithm) : null, verdict, null);
        }

        if (_tally.Failed > 0)
        {
            invocation.ExitCode = _hasMismatch ? ExitCode.Mismatch : ExitCode.Failed;
        }
        else if (_tally.Restoring > 0 && !copy.DryRun)
        {
            invocation.ExitCode = ExitCode.Restoring;
        }
    }

    /// <summary>Writes the summary.</summary>
    public void Summarize()
    {
        TimeSpan elapsed = _tally.Elapsed;
        string objects = Units.Count(_tally.Objects, "object", "objects");
        string size = folder.Keys is null ? $", {ByteSize.Format(_bytes)}" : string.Empty; // a list of keys has no sizes
        List<string> facts = copy.DryRun
            ? [$"would {(copy.Moves ? "move" : "copy")} {objects}{size}"]
            : _tally.Objects == 0 ? [$"{objects} in {Units.Duration(elapsed)}"]
            : [$"{objects}, {ByteSize.Format(_bytes)} in {Units.Duration(elapsed)}{Units.Rates(_bytes, elapsed, _tally.Objects)}"];
        if (!copy.DryRun && _tally.Objects > 0)
        {
            facts.Add(_verified == _tally.Objects ? "all verified" : $"{Units.Number(_verified)} verified and {Units.Number(_tally.Objects - _verified)} unverified");
        }

        if (_tally.Lost.Objects > 0)
        {
            facts.Add($"{Units.Number(_tally.Lost.Objects)} of {Units.Number(_tally.Objects)} without all properties");
        }

        if (_skipped > 0)
        {
            facts.Add($"{Units.Number(_skipped)} skipped (target exists{(copy.AsOf is null ? string.Empty : " or has that version")})");
        }

        if (_tally.Archived > 0)
        {
            facts.Add($"{Units.Number(_tally.Archived)} skipped (archived)");
        }

        if (_tally.Restoring > 0)
        {
            facts.Add($"{Units.Number(_tally.Restoring)} archived and {(copy.DryRun ? "to be restored first" : "being restored; run the same command again when they can be read")}");
        }

        facts.AddRange(Facts);
        if (_tally.Failed > 0)
        {
            facts.Add($"{Units.Number(_tally.Failed)} failed");
        }

        if (Fatal is TransferException && !FatalErrorDetector.IsLimit(Fatal))
        {
            facts.Add(_failures.AllFailedAlike
                ? $"stopped because the first {Units.Number(FatalErrorDetector.MaxAlike)} failed with the same error; --on-failure continue tries all"
                : "stopped because every object would fail with the same error");
        }

        invocation.Console.Flush();
        if (_tally.Lost.Objects > 0)
        {
            invocation.Loss($"{Units.Count(_tally.Lost.Objects, "object does", "objects do")} not have all properties of the source: {_tally.Lost}; -v names the objects");
        }

        invocation.Summary(string.Join(", ", facts));
        invocation.Usage.Summarize(invocation);
        if (_tally.Objects > 0)
        {
            invocation.SummarizeBottleneck();
        }
    }

    private void Moved(Outcome outcome)
    {
        _failures.NoteSuccess();
        _tally.Objects++;
        _bytes += outcome.Bytes;
        if (outcome.LostProperties.Count > 0)
        {
            _tally.Lost.Add(outcome.LostProperties);
            invocation.Log(LogLevel.Information, $"the copy of {outcome.Source ?? outcome.Name} does not have these properties: {string.Join(", ", outcome.LostProperties)}");
        }

        if (outcome.Verdict is { IsVerified: true } verdict)
        {
            _verified++;
            _algorithm = _algorithm is null || _algorithm == verdict.Algorithm ? verdict.Algorithm : ChecksumAlgorithm.None;
        }
        else if (outcome.Verdict?.Reason is { } reason && !copy.DryRun)
        {
            invocation.Log(LogLevel.Information, $"{outcome.Target ?? outcome.Name} is not verified: {reason}");
        }
    }

    private void Failed(Exception error)
    {
        _hasMismatch |= error is ChecksumMismatchException;
        if (folder.OnFailure != FailurePolicy.Abort)
        {
            _failures.Add(error); // otherwise, it ends the copy, and the caller reports it
        }
    }
}
