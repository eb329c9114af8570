using System.Xml.Linq;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>A new project outside of the repository that gets the packages as their users do.</summary>
internal sealed class NewProject
{
    private static readonly Lazy<Dictionary<string, string>> Versions = new(() => XDocument.Load(Path.Combine(MarkdownPages.Root, "Directory.Packages.props"))
        .Descendants("PackageVersion").ToDictionary(package => package.Attribute("Include")!.Value, package => package.Attribute("Version")!.Value));

    private readonly PackageFeed _feed;

    private NewProject(PackageFeed feed, string folder) => (_feed, Folder) = (feed, folder);

    public string Folder { get; }

    /// <param name="feed">The packages.</param>
    /// <param name="name">The name of the project and its assembly.</param>
    /// <param name="content">MSBuild elements for the project.</param>
    /// <param name="source">The C# code.</param>
    /// <param name="packages">The packages to refer to: those of the feed, and those whose versions this repository knows.</param>
    public static async Task<NewProject> CreateAsync(PackageFeed feed, string name, string content, string source, params string[] packages)
    {
        NewProject project = new(feed, feed.CreateFolder(name));
        project.Write("nuget.config", $"<configuration><packageSources><add key=\"packages-under-test\" value=\"{await feed.PackagesAsync()}\" /></packageSources></configuration>");
        foreach (string file in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
        {
            project.Write(file, "<Project />"); // what is above the folder isn't part of the test
        }

        project.Write("Program.cs", source);
        project.Write($"{name}.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <NuGetAudit>false</NuGetAudit>
              </PropertyGroup>
              {content}
              <ItemGroup>
                {string.Concat(packages.Select(package => $"<PackageReference Include=\"{package}\" Version=\"{Versions.Value.GetValueOrDefault(package, PackageFeed.Version)}\" />"))}
              </ItemGroup>
            </Project>
            """);
        return project;
    }

    /// <summary>Runs a command of the SDK in the folder of the project.</summary>
    /// <returns>What it wrote to standard output.</returns>
    public Task<string> DotnetAsync(params string[] arguments) => Dotnet.RunAsync(_feed.UserEnvironment, Folder, arguments);

    private void Write(string file, string text) => File.WriteAllText(Path.Combine(Folder, file), text);
}
