using System.Runtime.CompilerServices;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Writes the journals of uploads to a folder of this run instead of that of the user who runs the tests.</summary>
internal static class StateFolder
{
    public static string Path { get; } = Directory.CreateTempSubdirectory("transfer-state-").FullName;

#pragma warning disable CA2255 // runs before any test
    [ModuleInitializer]
#pragma warning restore CA2255
    internal static void Use()
    {
        Environment.SetEnvironmentVariable("XDG_STATE_HOME", Path);
        AppDomain.CurrentDomain.ProcessExit += static (_, _) => Directory.Delete(Path, recursive: true);
    }
}
