using System.Text;

namespace Transfer.Cli.Rendering;

/// <summary>Where the tool writes: results to standard output, everything else to standard error.</summary>
internal sealed class ToolConsole : IDisposable
{
    private const int DefaultWidth = 80;
    private const int Utf8CodePage = 65001;
    private readonly Stream? _ownedOutput;

    /// <summary>A console of given writers, for tests.</summary>
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
        HasColor = string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR")) && term != "dumb";
        IsUnicode = Console.OutputEncoding.CodePage == Utf8CodePage;
    }

    public TextWriter Output { get; }

    public TextWriter Error { get; }

    public bool OutputIsTerminal { get; init; }

    public bool ErrorIsTerminal { get; init; }

    public bool HasColor { get; init; }

    public bool IsUnicode { get; init; } = true;

    public int Width
    {
        get
        {
            if (ErrorIsTerminal || OutputIsTerminal)
            {
                try
                {
                    return Console.WindowWidth is > 0 and int width ? width : DefaultWidth;
                }
                catch (IOException)
                {
                    // Some terminals don't tell.
                }
            }

            return DefaultWidth;
        }
    }

    public static ToolConsole OfProcess() => new(StandardStreams.OpenOutput());

    /// <summary>A message for a person: one line on standard error.</summary>
    public void Message(string text) => Error.WriteLine($"transfer: {Printable.Line(text)}");

    /// <summary>A message while a line of progress may be drawn, which it takes the place of.</summary>
    public void MessageOverProgress(string text)
    {
        if (ErrorIsTerminal)
        {
            Error.Write("\r\e[K");
        }

        Message(text);
    }

    /// <summary>What was written to standard output goes out. Throws where nobody reads it any more.</summary>
    public void Flush() => Output.Flush();

    public void Dispose() => _ownedOutput?.Dispose();
}
