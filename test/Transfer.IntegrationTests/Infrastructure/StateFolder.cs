using System.Runtime.CompilerServices;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>Journals of uploads go to a folder of this run's own, and not to that of whoever runs the tests.</summary>
internal static class StateFolder
{
    public static string Path { get; } = Directory.CreateTempSubdirectory("transfer-state-").FullName;

#pragma warning disable CA2255 // before any test
    [ModuleInitializer]
#pragma warning restore CA2255
    internal static void Use()
    {
        Environment.SetEnvironmentVariable("XDG_STATE_HOME", Path);
        AppDomain.CurrentDomain.ProcessExit += static (_, _) => Directory.Delete(Path, recursive: true);
    }
}
