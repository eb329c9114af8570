using System.CommandLine;
using System.CommandLine.Invocation;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Shows the help, regardless of the rest of the command line.</summary>
internal sealed class HelpTextAction(ToolConsole console) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        HelpText.Write(parseResult.CommandResult.Command, console.Output, console.Width);
        console.Flush();
        return ExitCode.Done;
    }
}
