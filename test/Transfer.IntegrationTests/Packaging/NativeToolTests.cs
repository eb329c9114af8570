using System.Diagnostics;
using System.Text.Json.Nodes;
using Transfer.IntegrationTests.Credentials;
using Transfer.IntegrationTests.Infrastructure;
using Transfer.Tests.Documentation;

namespace Transfer.IntegrationTests.Packaging;

/// <summary>The native file that a publish without options gives. Not beside other tests: the compiler takes all processors.</summary>
[CollectionDefinition(nameof(NativeToolTests), DisableParallelization = true)]
[Collection(nameof(NativeToolTests))]
public sealed class NativeToolTests : CredentialTest
{
    private const int LargestFile = 30_000_000;

    /// <summary>The machine can be busy with something else, so the fastest one counts.</summary>
    private const int Starts = 10;

    /// <summary>It takes 10 ms, and 80 ms if a runtime starts first.</summary>
    private static readonly TimeSpan LongestStart = TimeSpan.FromMilliseconds(50);

    [NativeFact]
    public async Task Publish_WithoutOptions_GivesOneNativeFileThatCopies()
    {
        string output = await PublishAsync();
        string tool = Assert.Single(Directory.GetFiles(PathOf("published")), static path => Path.GetExtension(path) is not ".dbg" and not ".pdb");

        Assert.DoesNotContain("warning", output, StringComparison.OrdinalIgnoreCase);
        Assert.InRange(new FileInfo(tool).Length, 1, LargestFile);
        Assert.StartsWith("transfer 0.1.0", await RunAsync(tool, "--version"), StringComparison.Ordinal);
        await AssertStartsFastAsync(tool);
        await AssertCopiesAsync(tool);
        await AssertSignsInAsync(tool);
    }

    /// <summary>With artifacts of its own, so that the restore for one runtime doesn't change those of this solution.</summary>
    private Task<string> PublishAsync() => Dotnet.RunAsync(
        Dotnet.OwnEnvironment, PathOf(""), "publish", Path.Combine(MarkdownPages.Root, "src", "Transfer.Cli"), "--artifacts-path", PathOf("artifacts"), "-o", PathOf("published"), "-p:RunAnalyzers=false");

    private async Task AssertStartsFastAsync(string tool)
    {
        TimeSpan fastest = TimeSpan.MaxValue;
        for (int i = 0; i < Starts; i++)
        {
            long started = Stopwatch.GetTimestamp();
            await RunAsync(tool, "--version");
            TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
            fastest = elapsed < fastest ? elapsed : fastest;
        }

        Assert.True(fastest <= LongestStart, $"The fastest of {Starts} starts takes {fastest.TotalMilliseconds:N0} ms.");
    }

    private async Task AssertCopiesAsync(string tool)
    {
        byte[] data = TestBytes.Create(20 << 20);
        string source = await WriteFileAsync("data.bin", data);
        string events = PathOf("events.jsonl");

        await RunAsync(tool, "cp", "--profile", "base", source, $"s3://{Bucket}/");
        string list = await RunAsync(tool, "ls", "--profile", "base", $"s3://{Bucket}/");
        string download = await RunAsync(tool, "cp", "--profile", "base", "--json", $"s3://{Bucket}/data.bin", PathOf("copy.bin"));
        await RunAsync(tool, "cp", "--profile", "base", "-r", "--events", events, $"s3://{Bucket}/", PathOf("all"));

        Assert.Contains("data.bin", list, StringComparison.Ordinal);
        Assert.Equal("verified", (string?)JsonNode.Parse(download)!["checksum"]!["verdict"]);
        Assert.Equal(data, await File.ReadAllBytesAsync(PathOf("copy.bin")));
        Assert.Equal(data, await File.ReadAllBytesAsync(Path.Combine(PathOf("all"), "data.bin")));
        Assert.All(await File.ReadAllLinesAsync(events), line => Assert.NotNull(JsonNode.Parse(line)));
    }

    /// <summary>The SDK would look for the clients of these services by name, which a native file doesn't have.</summary>
    private async Task AssertSignsInAsync(string tool)
    {
        await ConfigureAsync("""
            [sso-session corp]
            sso_region = us-east-1
            sso_start_url = https://start.example
            sso_registration_scopes = sso:account:access
            [profile sso]
            sso_session = corp
            sso_account_id = 123456789012
            sso_role_name = reader
            [profile role]
            role_arn = arn:aws:iam::123456789012:role/one
            source_profile = sso
            """);
        await SignInAsync(
            "corp", DateTimeOffset.UtcNow.AddHours(-1), "expired",
            $$""","refreshToken":"{{FakeAws.RefreshToken}}","clientId":"c","clientSecret":"s","registrationExpiresAt":"2100-01-01T00:00:00Z" """);

        Assert.Contains("data.bin", await RunAsync(tool, "ls", "--profile", "sso", $"s3://{Bucket}/"), StringComparison.Ordinal);
        Assert.Contains("data.bin", await RunAsync(tool, "ls", "--profile", "role", $"s3://{Bucket}/"), StringComparison.Ordinal);
    }

    private Task<string> RunAsync(string tool, params string[] arguments) => ExternalProgram.RunInAsync(PathOf(""), tool, Environment, Deadline.Longest, arguments);
}
