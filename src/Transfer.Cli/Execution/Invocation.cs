using Transfer.Cli.Connections;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Execution;

/// <summary>One run of one command: what it was given and where it writes.</summary>
internal sealed class Invocation(OptionValues values, OutputSettings output, ToolConsole console, TimeProvider time)
{
    public OptionValues Values { get; } = values;

    public OutputSettings Output { get; } = output;

    public ToolConsole Console { get; } = console;

    public TimeProvider Time { get; } = time;

    public Tally Tally { get; } = new(time);

    /// <summary>Whether standard output is the target of the transfer, so that the result must go elsewhere.</summary>
    public bool IsOutputTaken { get; set; }

    /// <summary>What the tool ends with, where nothing ends the command before its end: some of many may have failed, and been told of.</summary>
    public int ExitCode { get; set; } = Cli.ExitCode.Done;

    /// <summary>Writes the object of --json, of a command that has one of its own; null for the tally's.</summary>
    public Action<TextWriter>? ResultWriter { get; set; }

    /// <summary>How messages name the store, once it is known.</summary>
    public string? StoreName { get; private set; }

    /// <summary>What the store is being asked about, for failures that do not tell it themselves.</summary>
    public string? Subject { get; set; }

    /// <summary>The store is known. What is unsafe about the way to it is told before anything is sent.</summary>
    public void Use(ConnectionSettings store)
    {
        StoreName = store.StoreName;
        if (store.IsInsecure)
        {
            Console.Message($"WARNING: --insecure: the certificate of {store.StoreName} is NOT verified; anybody on the way can read and change everything");
        }

        if (store.IsInTheClear && !Output.Quiet)
        {
            Console.Message($"warning: {store.StoreName} is plain http: anybody on the way can read and change what is sent");
        }
    }

    /// <summary>The progress that is shown, which makes room for warnings.</summary>
    public IProgressView View { get; set; } = NoProgress.Instance;

    /// <summary>Writes a warning to standard error, unless --quiet.</summary>
    public void Warning(string text)
    {
        if (!Output.Quiet)
        {
            View.Aside(() => Console.Message($"warning: {text}"));
        }
    }

    /// <summary>Writes what limited the speed of a copy, under its summary.</summary>
    public void SummarizeBottleneck()
    {
        if (Tally.Times is { } times && BottleneckText.NameOf(times.Bottleneck) is { } name)
        {
            Summary($"limited by: {name}");
        }
    }

    /// <summary>The line that says what was done: on standard error, unless --quiet.</summary>
    public void Summary(string text)
    {
        if (!Output.Quiet)
        {
            Console.Error.WriteLine(Printable.Text(text));
        }
    }
}
