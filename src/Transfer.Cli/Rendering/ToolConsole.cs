using System.Text;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The streams that the tool writes to: results go to standard output, everything else to standard error.</summary>
internal sealed class ToolConsole : IDisposable
{
    private const int DefaultWidth = 80;
    private const int Utf8CodePage = 65001;
    private readonly Stream? _ownedOutput;

    /// <summary>Initializes a console that writes to the specified writers, for tests.</summary>
    public ToolConsole(TextWriter output, TextWriter error)
    {
        Output = output;
        Error = error;
    }

    private ToolConsole(Stream output)
    {
        _ownedOutput = output;
        OutputIsTerminal = !Console.IsOutputRedirected;
        Output = new StreamWriter(output, new UTF8Encoding(false), bufferSize: 32 * 1024) { AutoFlush = OutputIsTerminal };
        Error = new TolerantWriter(Console.Error);
        string? term = Environment.GetEnvironmentVariable("TERM");
        ErrorIsTerminal = !Console.IsErrorRedirected && term != "dumb";
        AllowsColor = string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR")) && term != "dumb"; // see https://no-color.org
        IsUnicode = Console.OutputEncoding.CodePage == Utf8CodePage;
    }

    public TextWriter Output { get; }

    public TextWriter Error { get; }

    public bool OutputIsTerminal { get; init; }

    public bool ErrorIsTerminal { get; init; }

    /// <summary>Gets how long a store that can't be reached is waited for: less if somebody is there, who waits too.</summary>
    public TimeSpan Patience => ErrorIsTerminal ? TimeSpan.FromSeconds(30) : TimeSpan.FromMinutes(2);

    /// <summary>Gets whether colors are allowed: TERM and NO_COLOR don't forbid them.</summary>
    public bool AllowsColor { get; init; }

    /// <summary>Gets whether standard error shows colors. A file that standard error is redirected to must not get any.</summary>
    public bool ErrorHasColor => AllowsColor && ErrorIsTerminal;

    /// <summary>Gets whether standard output shows colors.</summary>
    public bool OutputHasColor => AllowsColor && OutputIsTerminal;

    public bool IsUnicode { get; init; } = true;

    /// <summary>Gets what gets the width of the terminal, for tests; null for the console of the process.</summary>
    public Func<int>? WidthSource { get; init; }

    public int Width
    {
        get
        {
            if (WidthSource is { } source)
            {
                return source();
            }

            if (ErrorIsTerminal || OutputIsTerminal)
            {
                try
                {
                    return Console.WindowWidth is > 0 and int width ? width : DefaultWidth;
                }
                catch (IOException)
                {
                    // Some terminals don't report their width.
                }
            }

            return DefaultWidth;
        }
    }

    public static ToolConsole OfProcess() => new(StandardStreams.OpenOutput());

    /// <summary>Writes a message for people: one line on standard error.</summary>
    public void Message(string text) => Error.WriteLine($"transfer: {Printable.Line(text)}");

    /// <summary>Writes a message of the log: one line on standard error.</summary>
    /// <param name="text">The message.</param>
    /// <param name="isDimmed">Whether a terminal with colors shows it in gray.</param>
    public void LogMessage(string text, bool isDimmed)
    {
        string line = $"transfer: {Printable.Line(text)}";
        Error.WriteLine(isDimmed && ErrorHasColor ? $"\e[90m{line}\e[0m" : line);
    }

    /// <summary>Writes a message that replaces a progress line, if one is drawn.</summary>
    public void MessageOverProgress(string text)
    {
        if (ErrorIsTerminal)
        {
            Error.Write("\r\e[K");
        }

        Message(text);
    }

    /// <summary>Writes to standard output, and flushes it. An error is reported, unless the reader has closed standard output because it has read enough.</summary>
    /// <param name="write">Writes the text.</param>
    /// <param name="tells">Whether to report an error.</param>
    /// <returns>False if that wasn't possible.</returns>
    public bool TryWrite(Action write, bool tells = true)
    {
        try
        {
            write();
            Flush();
            return true;
        }
        catch (IOException e)
        {
            if (tells && !StandardStreams.IsOutputClosed(e))
            {
                Message($"the result could not be written to standard output: {MessageStyle.Apply(Printable.Line(e.Message))}");
            }

            return false;
        }
    }

    /// <summary>Flushes standard output. Throws if its reader has closed it.</summary>
    public void Flush() => Output.Flush();

    public void Dispose() => _ownedOutput?.Dispose();
}
