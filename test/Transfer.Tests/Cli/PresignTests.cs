using System.Globalization;
using System.Text.Json;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

/// <summary>Runs <c>transfer presign</c>, which needs no connection.</summary>
public sealed class PresignTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly Dictionary<string, string> _environment = new()
    {
        ["AWS_ACCESS_KEY_ID"] = "AKIAIOSFODNN7EXAMPLE",
        ["AWS_SECRET_ACCESS_KEY"] = "hush",
        ["AWS_REGION"] = "eu-central-1",
    };

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public async Task RunAsync_AmazonS3_WritesAUrlOfTheBucketsHost()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("s3://bucket/dir/a+b&c"));

        string url = _output.ToString();
        Assert.StartsWith("https://bucket.s3.eu-central-1.amazonaws.com/dir/a%2Bb%26c?", url, StringComparison.Ordinal);
        Assert.Contains("%2Feu-central-1%2Fs3%2Faws4_request", url, StringComparison.Ordinal);
        Assert.InRange(LifetimeOf(url), 3590, 3600);
        Assert.DoesNotContain("hush", url + _error, StringComparison.Ordinal);
        Assert.Empty(_error.ToString());
    }

    [Theory]
    [InlineData("http://127.0.0.1:9000", "http://127.0.0.1:9000/bucket/k?")]
    [InlineData("https://store.example", "https://store.example/bucket/k?")]
    public async Task RunAsync_OtherStore_WritesAUrlOfTheEndpoint(string endpoint, string expected)
    {
        Assert.Equal(ExitCode.Done, await RunAsync($"s3://bucket/k --endpoint-url {endpoint}"));
        Assert.StartsWith(expected, _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1s", 0, 1)]
    [InlineData("90m", 5390, 5400)]
    [InlineData("3600", 3590, 3600)]
    [InlineData("7d", 604_790, 604_800)]
    public async Task RunAsync_Expires_IsTheLifetime(string time, int min, int max)
    {
        Assert.Equal(ExitCode.Done, await RunAsync($"s3://bucket/k --expires {time}"));
        Assert.InRange(LifetimeOf(_output.ToString()), min, max);
    }

    [Fact]
    public async Task RunAsync_VersionId_IsSigned()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("s3://bucket/k --version-id v1"));
        Assert.Contains("versionId=v1", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_Json_WritesTheUrlAndTheResult()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("s3://bucket/k --method put --json"));

        using JsonDocument url = JsonDocument.Parse(_output.ToString());
        using JsonDocument result = JsonDocument.Parse(_error.ToString());
        Assert.Contains("X-Amz-Signature=", url.RootElement.GetProperty("url").GetString(), StringComparison.Ordinal);
        Assert.Equal("PUT", url.RootElement.GetProperty("method").GetString());
        Assert.InRange(url.RootElement.GetProperty("expires").GetDateTimeOffset() - TimeProvider.System.GetUtcNow(), TimeSpan.FromMinutes(50), TimeSpan.FromHours(1));
        Assert.Equal("presign", result.RootElement.GetProperty("operation").GetString());
        Assert.Equal(0, result.RootElement.GetProperty("requests").GetInt32());
    }

    [Fact]
    public async Task RunAsync_CredentialsExpireEarlier_Warns()
    {
        DateTimeOffset end = TimeProvider.System.GetUtcNow().AddMinutes(10);
        _environment["AWS_SESSION_TOKEN"] = "token";
        _environment["AWS_CREDENTIAL_EXPIRATION"] = end.ToString("O", CultureInfo.InvariantCulture);

        Assert.Equal(ExitCode.Done, await RunAsync("s3://bucket/k --json"));

        Assert.StartsWith(
            $"transfer: warning: the URL stops working at {end.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture)} UTC, when the credentials expire\n", _error.ToString(), StringComparison.Ordinal);
        using JsonDocument url = JsonDocument.Parse(_output.ToString().Split('\n')[0]);
        Assert.Equal(end, url.RootElement.GetProperty("expires").GetDateTimeOffset());
        Assert.Contains("X-Amz-Security-Token=token", url.RootElement.GetProperty("url").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_CredentialsExpireLater_DoesNotWarn()
    {
        _environment["AWS_SESSION_TOKEN"] = "token";
        _environment["AWS_CREDENTIAL_EXPIRATION"] = TimeProvider.System.GetUtcNow().AddHours(2).ToString("O", CultureInfo.InvariantCulture);
        Assert.Equal(ExitCode.Done, await RunAsync("s3://bucket/k"));
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public async Task RunAsync_SessionTokenOfUnknownLifetime_Warns()
    {
        _environment["AWS_SESSION_TOKEN"] = "token";
        Assert.Equal(ExitCode.Done, await RunAsync("s3://bucket/k"));
        Assert.Contains("warning: the credentials are temporary", _error.ToString(), StringComparison.Ordinal);
    }

    private static int LifetimeOf(string url)
        => int.Parse(url.Split("X-Amz-Expires=")[1].Split('&')[0], CultureInfo.InvariantCulture);

    private Task<int> RunAsync(string line)
    {
        Tool tool = new(new ToolConsole(_output, _error), CliLine.Environment([.. _environment.Select(pair => (pair.Key, pair.Value))]), TimeProvider.System);
        return tool.RunAsync(["presign", .. line.Split(' ')], CancellationToken.None);
    }
}
