using System.CommandLine;
using System.CommandLine.Invocation;
using System.Reflection;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Shows the version.</summary>
internal sealed class VersionAction(ToolConsole console) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    /// <summary>Gets the version of the tool.</summary>
    public static string? Version => typeof(VersionAction).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;

    public override int Invoke(ParseResult parseResult)
    {
        console.Output.WriteLine($"transfer {Version}");
        console.Flush();
        return ExitCode.Done;
    }
}
