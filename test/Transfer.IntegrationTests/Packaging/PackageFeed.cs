using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>A folder with the packages of this repository. They are packed when the first test asks, and for all tests that share this object.</summary>
public sealed class PackageFeed : IDisposable
{
    /// <summary>A version that nobody else has, so that no cache can provide other packages.</summary>
    public const string Version = "0.1.0-packagetests";

    private readonly TemporaryFolder _folder = new();
    private Task<string>? _packages;
    private Task<string>? _assemblyPackages;
    private SourceCopy? _assemblySources;

    /// <summary>Gets the environment of a user: packages of this feed don't get into the machine's cache, and all others come from there if it has them.</summary>
    internal IReadOnlyDictionary<string, string> UserEnvironment => new Dictionary<string, string>(Dotnet.OwnEnvironment)
    {
        ["NUGET_PACKAGES"] = _folder.File("cache"),
        ["NUGET_FALLBACK_PACKAGES"] = Dotnet.MachinePackages,
    };

    /// <summary>Gets the folder with the packages. That of the tool for this platform contains the native file if there is one.</summary>
    internal Task<string> PackagesAsync() => _packages ??= PackAsync("packages", "sources", ToolFile.NativePath);

    /// <summary>Gets the folder with the packages that are packed without a compiler for native files, from another directory.</summary>
    internal Task<string> AssemblyPackagesAsync() => _assemblyPackages ??= PackAsync("assembly-packages", Path.Combine("copy", "of", "sources"), nativeTool: null);

    /// <summary>Publishes the tool from the sources of the assembly packages, which are compiled.</summary>
    /// <param name="output">The folder for the files.</param>
    /// <param name="options">The options of the publish.</param>
    internal async Task PublishToolAsync(string output, params string[] options)
    {
        await AssemblyPackagesAsync();
        await _assemblySources!.PublishToolAsync(output, options);
    }

    /// <summary>Creates a folder beside the packages.</summary>
    internal string CreateFolder(string name) => Directory.CreateDirectory(_folder.File(name)).FullName;

    /// <inheritdoc/>
    public void Dispose() => _folder.Dispose();

    private async Task<string> PackAsync(string packages, string sources, string? nativeTool)
    {
        SourceCopy copy = new(_folder.File(sources));
        _assemblySources = nativeTool is null ? copy : _assemblySources;
        string output = await copy.PackAsync(_folder.File(packages), Version, nativeTool);
        Assert.DoesNotContain("warning", output, StringComparison.OrdinalIgnoreCase);
        return _folder.File(packages);
    }
}
