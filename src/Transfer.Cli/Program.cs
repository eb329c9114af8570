using Transfer.S3.Cli;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

using ToolConsole console = ToolConsole.OfProcess();
if (OpenFileLimit.Problem is { } problem)
{
    console.Message(problem);
    return ExitCode.Usage;
}

using Interruption interruption = new(TimeProvider.System, console.MessageOverProgress, Environment.Exit);
return await new Tool(console, ToolEnvironment.Process, TimeProvider.System).RunAsync(args, interruption.Token).ConfigureAwait(false);
