using Transfer.Cli;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

using Interruption interruption = new();
using ToolConsole console = ToolConsole.OfProcess();
return await new Tool(console, ToolEnvironment.Process, TimeProvider.System).RunAsync(args, interruption.Token).ConfigureAwait(false);
