using System.CommandLine;
using System.CommandLine.Invocation;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes a text about a command, such as its help, regardless of the rest of the command line.</summary>
internal sealed class TextAction(ToolConsole console, Action<Command> write) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult) => console.TryWrite(() => write(parseResult.CommandResult.Command)) ? ExitCode.Done : ExitCode.Failed;
}
