using System.Runtime.InteropServices;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>The SDK as a process of its own.</summary>
internal static class Dotnet
{
    private static readonly TimeSpan CommandDeadline = TimeSpan.FromMinutes(5);

    /// <summary>Gets the platform of this machine.</summary>
    public static string Platform => RuntimeInformation.RuntimeIdentifier;

    /// <summary>Gets the folder of the packages that this machine has, without a separator at the end.</summary>
    public static string MachinePackages { get; } = Path.TrimEndingDirectorySeparator(
        Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } packages
            ? packages
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"));

    /// <summary>Gets an environment in which no server of the SDK stays behind, keeps files open, or takes the packages of another run.</summary>
    public static IReadOnlyDictionary<string, string> OwnEnvironment { get; } = new Dictionary<string, string>
    {
        ["MSBUILDDISABLENODEREUSE"] = "1",
        ["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0",
        ["UseSharedCompilation"] = "false",
    };

    public static Task<string> RunAsync(IReadOnlyDictionary<string, string> environment, string directory, params string[] arguments)
        => ExternalProgram.RunInAsync(directory, Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", environment, CommandDeadline, arguments);
}
