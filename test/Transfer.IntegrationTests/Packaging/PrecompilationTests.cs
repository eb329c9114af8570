using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using Transfer.IntegrationTests.Infrastructure;

namespace Transfer.IntegrationTests.Packaging;

/// <summary>
/// The tool, published with ReadyToRun code instead of as a native file. Not beside other tests: a build takes all processors.
/// </summary>
[CollectionDefinition(nameof(PrecompilationTests), DisableParallelization = true)]
[Collection(nameof(PrecompilationTests))]
public sealed class PrecompilationTests
{
    private static readonly TimeSpan BuildDeadline = TimeSpan.FromMinutes(5);

    [LongFact]
    public async Task Publish_ReadyToRun_AssembliesHaveNativeCode()
    {
        using TemporaryFolder folder = new();
        string sources = Path.Combine(RepositoryRoot(), "src");
        string runtime = RuntimeInformation.RuntimeIdentifier;

        // Own artifacts, so that the restore for one runtime doesn't change those of this solution. No servers that would keep the output open.
        string[] common = ["-c", "Release", "--artifacts-path", folder.File("artifacts"), "-o", folder.File("output"), "-nodeReuse:false", "-p:UseSharedCompilation=false", "-p:RunAnalyzers=false"];
        await DotnetAsync(["publish", Path.Combine(sources, "Transfer.Cli"), "-r", runtime, "--self-contained", "false", "-p:PublishReadyToRun=true", .. common]);

        string[] assemblies = Directory.GetFiles(folder.File("output"), "*.dll");
        Assert.NotEmpty(assemblies);
        Assert.All(assemblies, path => Assert.True(HasNativeCode(File.OpenRead(path)), path));
    }

    /// <summary>With the folder of the packages named as in many CI environments, without a separator at the end.</summary>
    private static Task DotnetAsync(string[] arguments)
        => ExternalProgram.RunAsync("dotnet", new Dictionary<string, string>(StringComparer.Ordinal) { ["NUGET_PACKAGES"] = Dotnet.MachinePackages }, BuildDeadline, arguments);

    private static bool HasNativeCode(Stream assembly)
    {
        using PEReader reader = new(assembly);
        return reader.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0;
    }

    private static string RepositoryRoot()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Transfer.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new InvalidOperationException("There is no Transfer.sln above the test's own folder.");
    }
}
