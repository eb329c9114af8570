using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Told what became of each object: counts, tells of failures as they happen, and stops the copy where all the others would fail alike.</summary>
/// <remarks>The library calls it one at a time.</remarks>
internal sealed class FolderReport(FolderPlan plan, CopySettings copy, FolderSettings folder, Invocation invocation, IProgressView view, CancellationTokenSource stop)
{
    /// <summary>Failures that are told in full. Behind so many others nobody finds what else is on the screen.</summary>
    private const int MaxTold = 20;

    private readonly Tally _tally = invocation.Tally;
    private readonly HopelessFailures _hopeless = new(folder.TriesAll);
    private long _bytes;
    private long _skipped;
    private long _verified;
    private bool _hasMismatch;
    private ChecksumAlgorithm? _algorithm;

    /// <summary>What ended the copy although failures should not; null where nothing did.</summary>
    public Exception? Fatal { get; private set; }

    public bool IsEmpty => _tally.Objects + _tally.Failed + _skipped == 0;

    public void Ended(ObjectOutcome outcome)
    {
        switch (outcome.Status)
        {
            case ObjectStatus.Skipped:
                _hopeless.Moved();
                _skipped++;
                break;
            case ObjectStatus.Failed:
                Failed(outcome.Error!);
                break;
            case ObjectStatus.Planned:
                Moved(outcome);
                Plan(outcome);
                break;
            default:
                Moved(outcome);
                break;
        }
    }

    /// <summary>What was counted becomes the result, also that of a copy that did not come to its end.</summary>
    public void Finish()
    {
        _tally.Bytes = _bytes;
        _tally.HasRate = !copy.Transfer.DryRun;
        if (_hasMismatch || (_tally.Objects > 0 && !copy.Transfer.DryRun))
        {
            string verdict = _hasMismatch ? "mismatch" : _verified == _tally.Objects ? "verified" : "unverified";
            _tally.Checksum = new ChecksumJson(_algorithm is { } algorithm ? ChecksumJson.NameOf(algorithm) : null, verdict, null);
        }

        if (_tally.Failed > 0)
        {
            invocation.ExitCode = _hasMismatch ? ExitCode.Mismatch : ExitCode.Failed;
        }
    }

    /// <summary>The line that says what was done.</summary>
    public void Summarize()
    {
        TimeSpan elapsed = _tally.Elapsed;
        string objects = Units.Count(_tally.Objects, "object", "objects");
        List<string> facts = copy.Transfer.DryRun
            ? [$"would copy {objects}, {Units.Size(_bytes)}"]
            : _tally.Objects == 0 ? [$"{objects} in {Units.Duration(elapsed)}"]
            : [$"{objects}, {Units.Size(_bytes)} in {Units.Duration(elapsed)} ({Rates(elapsed)})"];
        if (!copy.Transfer.DryRun && _tally.Objects > 0)
        {
            facts.Add(_verified == _tally.Objects ? "all verified" : $"{Units.Number(_verified)} verified and {Units.Number(_tally.Objects - _verified)} unverified");
        }

        if (_skipped > 0)
        {
            facts.Add($"{Units.Number(_skipped)} skipped that exist already");
        }

        if (_tally.Failed > 0)
        {
            facts.Add($"{Units.Number(_tally.Failed)} failed");
        }

        if (Fatal is TransferException)
        {
            facts.Add(_hopeless.AreAllAlike
                ? $"stopped because the first {Units.Number(HopelessFailures.MaxAlike)} failed alike; --on-failure continue tries all"
                : "stopped because the others would fail alike");
        }

        invocation.Console.Flush();
        invocation.Summary(string.Join(", ", facts));
        if (_tally.Objects > 0)
        {
            invocation.SummarizeBottleneck();
        }
    }

    // Of many small objects the number a second tells more than the bytes.
    private string Rates(TimeSpan elapsed)
        => elapsed > TimeSpan.Zero && _tally.Objects > 1
            ? $"{Units.Rate(_bytes, elapsed)}, {Units.Number((long)(_tally.Objects / elapsed.TotalSeconds))} objects/s"
            : Units.Rate(_bytes, elapsed);

    private void Moved(ObjectOutcome outcome)
    {
        _hopeless.Moved();
        _tally.Objects++;
        _bytes += outcome.Bytes;
        if (outcome.Verdict is { IsVerified: true } verdict)
        {
            _verified++;
            _algorithm = _algorithm is null || _algorithm == verdict.Algorithm ? verdict.Algorithm : ChecksumAlgorithm.None;
        }
    }

    private void Plan(ObjectOutcome outcome)
    {
        try
        {
            TextWriter writer = invocation.Output.Json ? invocation.Console.Error : invocation.Console.Output;
            writer.WriteLine(Printable.Text($"{plan.SourceOf(outcome)} → {plan.TargetOf(outcome)}"));
        }
        catch (IOException e)
        {
            Stop(e); // nobody reads it any more
        }
    }

    private void Failed(Exception error)
    {
        _hasMismatch |= error is ChecksumMismatchException;
        if (folder.OnFailure == FailurePolicy.Abort)
        {
            return; // it ends the copy, and whoever hears of that tells and counts it
        }

        _tally.Failed++;
        if (Fatal is not null)
        {
            return;
        }

        if (_hopeless.Is(error))
        {
            Stop(error);
            return;
        }

        Failure failure = Failure.Of(error, invocation.StoreName, null, CancellationToken.None);
        _tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
        if (invocation.Output.Json || _tally.Failed > MaxTold + 1)
        {
            return;
        }

        string text = _tally.Failed <= MaxTold ? failure.Message : "more failures are only counted; --json lists the first 1,000 of them";
        view.Aside(() => invocation.Console.Message(text));
    }

    private void Stop(Exception error)
    {
        Fatal ??= error;
        _ = stop.CancelAsync(); // its listeners are none of this call
    }
}
