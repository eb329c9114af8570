namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>A copy of what the packages are made of. A pack in the repository itself would replace what the other tests have built.</summary>
internal sealed class SourceCopy
{
    // The folder of the machine's packages is named as in many CI environments, without a separator at the end.
    private static readonly Dictionary<string, string> Environment = new(Dotnet.OwnEnvironment) { ["NUGET_PACKAGES"] = Dotnet.MachinePackages };
    private readonly string _solution;

    /// <param name="folder">The folder to create.</param>
    public SourceCopy(string folder)
    {
        string root = MarkdownPages.Root;
        IEnumerable<string> files = Directory.GetFiles(root).Where(static path => Path.GetFileName(path) != ".git" && Path.GetExtension(path) != ".sln")
            .Concat(Directory.GetFiles(Path.Combine(root, "src"), "*", SearchOption.AllDirectories))
            .Append(Path.Combine(root, "docs", "images", "icon.png"));
        foreach (string file in files)
        {
            string copy = Path.Combine(folder, Path.GetRelativePath(root, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }

        _solution = Path.Combine(folder, "Packages.slnx");
        string[] projects = Directory.GetFiles(Path.Combine(folder, "src"), "*.csproj", SearchOption.AllDirectories);
        File.WriteAllText(_solution, $"<Solution>{string.Concat(projects.Select(project => $"<Project Path=\"{Path.GetRelativePath(folder, project)}\" />"))}</Solution>");
    }

    /// <summary>Packs everything, with code for the platform of this machine only.</summary>
    /// <param name="output">The folder for the packages.</param>
    /// <param name="version">The version of the packages.</param>
    /// <param name="nativeTool">The native file to pack, which a compile would take a minute for; null for assemblies with ReadyToRun code.</param>
    /// <returns>What the SDK wrote.</returns>
    public Task<string> PackAsync(string output, string version, string? nativeTool)
    {
        string folder = Path.GetDirectoryName(_solution)!;
        string tool = "-p:PublishAot=false";
        if (nativeTool is not null)
        {
            string targets = Path.Combine(folder, "CompiledTool.targets");
            File.WriteAllText(targets, $"""
                <Project>
                  <Target Name="IlcCompile" />
                  <Target Name="LinkNative" DependsOnTargets="$(LinkNativeDependsOn)">
                    <Copy SourceFiles="{Path.GetFullPath(nativeTool)}" DestinationFiles="$(NativeBinary)" />
                  </Target>
                </Project>
                """);
            tool = $"-p:AfterMicrosoftNETSdkTargets={targets}";
        }

        return Dotnet.RunAsync(
            Environment, folder, "pack", _solution, "-c", "Release", "-o", output, $"-p:Version={version}", $"-p:PrecompiledPlatforms={Dotnet.Platform}", "-p:RunAnalyzers=false", tool);
    }

    /// <summary>Publishes the tool.</summary>
    /// <param name="output">The folder for the files.</param>
    /// <param name="options">The options of the publish.</param>
    public Task<string> PublishToolAsync(string output, params string[] options)
    {
        string folder = Path.GetDirectoryName(_solution)!;
        return Dotnet.RunAsync(
            Environment, folder, ["publish", Path.Combine(folder, "src", "Transfer.Cli"), "-c", "Release", "-o", output, "-p:RunAnalyzers=false", .. options]);
    }
}
