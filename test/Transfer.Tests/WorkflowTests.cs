using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Transfer.S3.Tests;

/// <summary>The workflows and the image, which run elsewhere: what they repeat is as in the projects and the documentation.</summary>
public sealed class WorkflowTests
{
    private static readonly string Version = Property("TargetFramework")["net".Length..];

    public static TheoryData<string> Workflows => [.. Directory.GetFiles(Path.Combine(MarkdownPages.Root, ".github", "workflows")).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    [Fact]
    public void Ci_RunsTheCommandsOfTheReadmeAndCi()
    {
        string[] commands = [.. MarkdownPages.Blocks(MarkdownPages.Readme).Where(block => block.Language == "console").Select(block => block.Text.Trim())];

        string[] runs = Values(Workflow("ci.yml"), "run");

        Assert.StartsWith("dotnet run ", runs[0], StringComparison.Ordinal);
        Assert.StartsWith("dotnet test ", runs[1], StringComparison.Ordinal);
        Assert.All(runs[..2], command => Assert.Contains(command, commands));
        Assert.Contains(".ci/run", runs);
        Assert.True(File.Exists(Path.Combine(MarkdownPages.Root, ".ci", "run")));
    }

    [Fact]
    public void Release_CompilesAllPlatformsAndPushesTheirPackages()
    {
        string workflow = Workflow("release.yml");
        string[] platforms = Property("PrecompiledPlatforms").Split(';');

        string[] compiled = [.. Regex.Matches(workflow, "platform: (?<name>[a-z0-9-]+)", RegexOptions.NonBacktracking).Select(match => match.Groups["name"].Value)];
        string[] pushed = Regex.Match(workflow, @"in release/\{(?<names>[^}]+)\}", RegexOptions.NonBacktracking).Groups["names"].Value.Split(',');

        Assert.Equal(platforms.Order(StringComparer.Ordinal), compiled.Order(StringComparer.Ordinal));
        Assert.Equal(platforms.Append("all").Order(StringComparer.Ordinal), pushed.Order(StringComparer.Ordinal));
        Assert.Equal("all", pushed[^1]);
        Assert.All(["${{ matrix.platform }}", "all"], platform => Assert.Contains($".ci/release {platform} release \"${{GITHUB_REF_NAME#v}}\"", Values(workflow, "run")));
        Assert.True(File.Exists(Path.Combine(MarkdownPages.Root, ".ci", "release")));
    }

    /// <summary>What has a public surface has pages, which continuous integration and a release make.</summary>
    [Fact]
    public void Reference_HasAllLibraries()
    {
        string config = File.ReadAllText(Path.Combine(MarkdownPages.Root, "docs", "docfx", "docfx.json"));
        string[] libraries = [.. Directory.GetFiles(Path.Combine(MarkdownPages.Root, "src"), "PublicAPI.Shipped.txt", SearchOption.AllDirectories).Select(path => Path.GetFileName(Path.GetDirectoryName(path)!))];

        Assert.NotEmpty(libraries);
        Assert.All(libraries, library => Assert.Contains($"\"{library}/release/", config, StringComparison.Ordinal));
        Assert.Matches(@"(?m)^\s*\.ci/reference\b", File.ReadAllText(Path.Combine(MarkdownPages.Root, ".ci", "release")));
        Assert.Contains(".ci/reference", Values(Workflow("ci.yml"), "run"));
    }

    /// <summary>What a release attests is what it publishes: the bill of materials is added before, and no key is stored.</summary>
    [Fact]
    public void Release_DescribesAndAttestsBeforeItPublishesWithoutASecret()
    {
        string workflow = Workflow("release.yml");

        int[] steps =
        [
            workflow.IndexOf(".ci/sbom \"${GITHUB_REF_NAME#v}\" release/*", StringComparison.Ordinal),
            workflow.IndexOf("actions/attest-build-provenance@", StringComparison.Ordinal),
            workflow.IndexOf("gh release create", StringComparison.Ordinal),
            workflow.IndexOf("nuget/login@", StringComparison.Ordinal),
            workflow.IndexOf("dotnet nuget push", StringComparison.Ordinal),
        ];

        Assert.DoesNotContain(-1, steps);
        Assert.Equal(steps.Order(), steps);
        Assert.DoesNotContain("secrets.", workflow, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Workflow_UsesTheVersionOfTheProjectsAndAllowsOnlyReading(string name)
    {
        string workflow = Workflow(name);

        Assert.All(Values(workflow, "dotnet-version"), version => Assert.Equal($"{Version}.x", version));
        Assert.All(Values(workflow, "uses"), action => Assert.Matches("^[a-z-]+/[a-z-]+@v[0-9]+$", action));
        Assert.Contains("\npermissions:\n  contents: read\n\n", workflow, StringComparison.Ordinal);
        Assert.DoesNotContain("pull_request_target", workflow, StringComparison.Ordinal);
    }

    /// <summary>Each job with steps ends some time.</summary>
    [Theory]
    [MemberData(nameof(Workflows))]
    public void Workflow_EveryJobHasATimeout(string name)
        => Assert.Equal(Values(Workflow(name), "runs-on").Length, Values(Workflow(name), "timeout-minutes").Length);

    [Fact]
    public void Dockerfile_UsesTheVersionOfTheProjectsAndCopiesWhatTheToolNeeds()
    {
        string[] lines = File.ReadAllLines(Path.Combine(MarkdownPages.Root, "Dockerfile"));
        string[] copied = [.. lines.Where(line => line.StartsWith("COPY ", StringComparison.Ordinal) && !line.Contains("--from", StringComparison.Ordinal)).SelectMany(line => line.Split(' ')[1..^1])];

        Assert.All(
            lines.Where(line => line.StartsWith("FROM ", StringComparison.Ordinal)),
            line => Assert.Matches($"^FROM mcr.microsoft.com/dotnet/[a-z-]+:{Regex.Escape(Version)}-noble-", line));
        Assert.All(copied, name => Assert.True(Path.Exists(Path.Combine(MarkdownPages.Root, name)), $"There is no {name}."));
        Assert.All(Directory.GetFiles(MarkdownPages.Root, "Directory.*").Append(".editorconfig").Select(Path.GetFileName), name => Assert.Contains(name, copied));
        Assert.All(ProjectsOf(Path.Combine(MarkdownPages.Root, "src", "Transfer.Cli", "Transfer.Cli.csproj")), project => Assert.Contains(project.Split('/')[0], copied));
        Assert.Contains("USER $APP_UID", lines);
    }

    private static string Workflow(string name) => File.ReadAllText(Path.Combine(MarkdownPages.Root, ".github", "workflows", name)).ReplaceLineEndings("\n");

    /// <summary>The values of a name, each of which is on one line.</summary>
    private static string[] Values(string workflow, string name)
        => [.. Regex.Matches(workflow, $@"^ *(?:- )?{name}: (?<value>[^|\n]+)$", RegexOptions.Multiline | RegexOptions.NonBacktracking).Select(match => match.Groups["value"].Value)];

    private static string Property(string name)
        => XDocument.Load(Path.Combine(MarkdownPages.Root, "Directory.Build.props")).Descendants(name).Single().Value;

    /// <summary>The project and those that it refers to, relative to the root.</summary>
    private static IEnumerable<string> ProjectsOf(string project)
        => XDocument.Load(project).Descendants("ProjectReference")
            .SelectMany(reference => ProjectsOf(Path.GetFullPath(Path.Combine(Path.GetDirectoryName(project)!, reference.Attribute("Include")!.Value))))
            .Prepend(Path.GetRelativePath(MarkdownPages.Root, project).Replace('\\', '/'));
}
