using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>The tool as <c>dotnet tool install</c> installs it.</summary>
[Collection(PackageCollection.Name)]
public sealed class InstalledToolTests(PackageFeed feed)
{
    /// <summary>The machine can be busy with something else, so the fastest one counts.</summary>
    private const int Runs = 10;

    /// <summary>
    /// The longest start with native code, relative to one in which all code is compiled at run time. It takes 0.39 of that time with the native code of the package.
    /// </summary>
    private const double LongestStart = 0.5;

    [NativeFact(isLong: true)]
    public async Task Installed_FromPackageOfThisPlatform_IsNativeFileThatCopiesVerifiedObject()
    {
        string folder = feed.CreateFolder("native-tool");
        string tool = await InstallAsync(folder, await feed.PackagesAsync());

        byte[] expected = await File.ReadAllBytesAsync(ToolFile.NativePath!);
        byte[] installed = await File.ReadAllBytesAsync(tool);
        Assert.True(installed.AsSpan().SequenceEqual(expected), "The installed file isn't the native one.");
        await CopyAsync(folder, tool);
    }

    [LongFact]
    public async Task Installed_WithAssemblies_CopiesVerifiedObjectAndStartsWithNativeCode()
    {
        string folder = feed.CreateFolder("tool");
        string tool = await InstallAsync(folder, await feed.AssemblyPackagesAsync());

        Assert.StartsWith($"transfer {PackageFeed.Version}", await RunAsync(folder, tool, "--version"), StringComparison.Ordinal);
        await CopyAsync(folder, tool);
        await AssertStartsWithNativeCodeAsync(tool);
    }

    /// <param name="folder">The folder to install into, with a cache of its own, because both feeds have packages of one version.</param>
    /// <param name="packages">The folder with the packages.</param>
    private async Task<string> InstallAsync(string folder, string packages)
    {
        Dictionary<string, string> environment = new(feed.UserEnvironment) { ["NUGET_PACKAGES"] = Path.Combine(folder, "cache") };
        await Dotnet.RunAsync(environment, folder, "tool", "install", "Transfer.S3.Tool", "--version", PackageFeed.Version, "--tool-path", folder, "--add-source", packages);
        return Path.Combine(folder, OperatingSystem.IsWindows() ? "transfer.cmd" : "transfer");
    }

    private static async Task CopyAsync(string folder, string tool)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"] });
        byte[] data = Sample.Bytes(20 << 20);
        string source = Path.Combine(folder, "data.bin");
        string copy = Path.Combine(folder, "copy.bin");
        await File.WriteAllBytesAsync(source, data);
        Dictionary<string, string> environment = EnvironmentOf(folder, server.Endpoint, server.AccessKeyId, server.SecretAccessKey);

        await RunAsync(folder, tool, environment, "cp", source, "s3://bucket/");
        string output = await RunAsync(folder, tool, environment, "cp", "--json", "s3://bucket/data.bin", copy);

        Assert.Equal("verified", (string?)JsonNode.Parse(output)!["checksum"]!["verdict"]);
        Assert.Equal(data, await File.ReadAllBytesAsync(copy));
    }

    private static async Task AssertStartsWithNativeCodeAsync(string tool)
    {
        List<TimeSpan> native = [];
        List<TimeSpan> compiled = [];
        while (native.Count < Runs)
        {
            native.Add(await RunToFirstRequestAsync(tool, usesNativeCode: true));
            compiled.Add(await RunToFirstRequestAsync(tool, usesNativeCode: false));
        }

        double ratio = native.Min() / compiled.Min();
        Assert.True(ratio <= LongestStart, $"The first request takes {ratio:0.00} of the time without native code. The limit is {LongestStart:0.00}. {Describe("with", native)} {Describe("without", compiled)}");
    }

    private static string Describe(string how, IEnumerable<TimeSpan> times)
        => $"The runs {how} native code took {string.Join(", ", times.Select(time => $"{time.TotalMilliseconds:N0} ms"))}.";

    private static async Task<TimeSpan> RunToFirstRequestAsync(string tool, bool usesNativeCode)
    {
        using TcpListener store = new(IPAddress.Loopback, 0);
        store.Start();
        string folder = Path.GetDirectoryName(tool)!;
        ProcessStartInfo start = new(tool, ["cp", "s3://bucket/data.bin", Path.Combine(folder, "never.bin")]) { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach ((string name, string value) in EnvironmentOf(folder, new Uri($"http://{store.LocalEndpoint}"), "id", "secret"))
        {
            start.Environment[name] = value;
        }

        start.Environment["DOTNET_ReadyToRun"] = usesNativeCode ? "1" : "0";
        long started = Stopwatch.GetTimestamp();
        using Process process = Process.Start(start)!;
        using TcpClient connection = await store.AcceptTcpClientAsync().Within();
        byte[] request = new byte[4];
        await connection.GetStream().ReadExactlyAsync(request).Within();
        TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
        process.Kill();
        await process.WaitForExitAsync().Within();
        Assert.Equal("GET ", Encoding.ASCII.GetString(request));
        return elapsed;
    }

    private static Task<string> RunAsync(string folder, string tool, params string[] arguments) => RunAsync(folder, tool, new Dictionary<string, string>(), arguments);

    private static Task<string> RunAsync(string folder, string tool, Dictionary<string, string> environment, params string[] arguments)
        => ExternalProgram.RunInAsync(folder, tool, environment, Deadline.Longest, arguments);

    private static Dictionary<string, string> EnvironmentOf(string folder, Uri endpoint, string id, string secret) => new()
    {
        ["AWS_ENDPOINT_URL_S3"] = endpoint.ToString(),
        ["AWS_ACCESS_KEY_ID"] = id,
        ["AWS_SECRET_ACCESS_KEY"] = secret,
        ["AWS_REGION"] = "us-east-1",
        ["AWS_CONFIG_FILE"] = Path.Combine(folder, "none"),
        ["AWS_SHARED_CREDENTIALS_FILE"] = Path.Combine(folder, "none"),
    };
}
