using System.CommandLine;
using System.CommandLine.Invocation;
using System.Reflection;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Shows the version.</summary>
internal sealed class VersionAction(ToolConsole console) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        string? version = typeof(VersionAction).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        console.Output.WriteLine($"transfer {version}");
        console.Flush();
        return ExitCode.Done;
    }
}
