using System.CommandLine;
using System.CommandLine.Invocation;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Shows the help, regardless of the rest of the command line.</summary>
/// <param name="console">The console.</param>
/// <param name="isComplete">Whether to show everything, and not only what fits on a screen.</param>
internal sealed class HelpTextAction(ToolConsole console, bool isComplete = false) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        HelpText.Write(parseResult.CommandResult.Command, console.Output, console.Width, isComplete);
        console.Flush();
        return ExitCode.Done;
    }
}
