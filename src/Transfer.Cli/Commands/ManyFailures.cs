using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>The failures of a command for many objects: counts them, writes them as they happen, and stops the command after an error that every object would share.</summary>
/// <remarks>Not thread-safe: the library reports one object at a time.</remarks>
/// <param name="invocation">The run of the command.</param>
/// <param name="view">The progress, which messages must not disturb.</param>
/// <param name="stop">Stops the command.</param>
/// <param name="triesAll">Whether to continue even if the first objects fail with the same error.</param>
internal sealed class ManyFailures(Invocation invocation, IProgressView view, CancellationTokenSource stop, bool triesAll = false)
{
    /// <summary>The number of failures that are written. More would push everything else off the screen.</summary>
    private const int MaxTold = 20;

    private readonly Tally _tally = invocation.Tally;
    private readonly FatalErrorDetector _detector = new(triesAll);
    private readonly ListWriter _writer = new(invocation);

    /// <summary>Gets the error that stopped the command even though it is set to continue after failures; null if there was none.</summary>
    public Exception? Fatal { get; private set; }

    /// <summary>Gets a value that indicates whether the command was stopped because its first objects failed with the same error.</summary>
    public bool AllFailedAlike => _detector.AllFailedAlike;

    /// <summary>Reports that an object didn't fail.</summary>
    public void NoteSuccess() => _detector.NoteSuccess();

    /// <summary>Counts a failure.</summary>
    public void Add(Exception error)
    {
        if (FatalErrorDetector.IsLimit(error))
        {
            Stop(error);
            return;
        }

        _tally.Failed++;
        if (Fatal is not null)
        {
            return;
        }

        if (_detector.IsFatal(error))
        {
            Stop(error);
            return;
        }

        Failure failure = Failure.From(error, invocation.StoreName, CancellationToken.None);
        _tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
        if (invocation.Output.Json || _tally.Failed > MaxTold + 1)
        {
            return;
        }

        string text = _tally.Failed <= MaxTold ? failure.Message : "further failures are only counted; --json lists the first 1,000";
        view.Aside(() => invocation.Console.Message(text));
    }

    /// <summary>Writes a line of a dry run.</summary>
    public void WritePlanned(PlannedJson line)
    {
        try
        {
            _writer.Planned(line);
        }
        catch (IOException e)
        {
            Stop(e); // the reader has closed standard output
        }
    }

    private void Stop(Exception error)
    {
        Fatal ??= error;
        _ = stop.CancelAsync(); // not awaited, because callbacks of the token must not block this call
    }
}
