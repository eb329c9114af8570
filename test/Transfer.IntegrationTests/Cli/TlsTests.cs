using System.Security.Cryptography.X509Certificates;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The tool with a store whose certificate was issued by a private authority.</summary>
[LongRunning]
public sealed class TlsTests : IAsyncLifetime, IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly TestAuthority _authority = new();
    private X509Certificate2 _certificate = null!;
    private EmbeddedS3Server _server = null!;
    private Dictionary<string, string> _environment = null!;
    private string _bundle = null!;

    public async Task InitializeAsync()
    {
        _certificate = _authority.Issue();
        _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Certificate = _certificate, Buckets = ["bucket"] });
        _environment = new Dictionary<string, string>
        {
            ["AWS_ENDPOINT_URL_S3"] = _server.Endpoint.ToString(),
            ["AWS_ACCESS_KEY_ID"] = _server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = _server.SecretAccessKey,
        };
        _bundle = _folder.File("authority.pem");
        await File.WriteAllTextAsync(_bundle, _authority.Certificate.ExportCertificatePem());
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public void Dispose()
    {
        _certificate.Dispose();
        _authority.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task CaBundle_OnTheCommandLine_IsTrustedAndOverridesTheEnvironment()
    {
        _environment["AWS_CA_BUNDLE"] = _folder.File("there-is-none");

        (await RunAsync("cp", _bundle, "s3://bucket/k", "--ca-bundle", _bundle)).Expect(0);
        ToolOutcome listing = (await RunAsync("ls", "s3://bucket", "--ca-bundle", _bundle)).Expect(0);

        Assert.Contains("  k", listing.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CaBundle_InTheEnvironment_IsTrusted()
    {
        _environment["AWS_CA_BUNDLE"] = _bundle;

        (await RunAsync("cp", _bundle, "s3://bucket/k")).Expect(0);
        (await RunAsync("verify", _bundle, "s3://bucket/k")).Expect(0);
    }

    [Theory]
    [InlineData("[default]\nregion = r\nca_bundle = FILE\n", null)]
    [InlineData("[profile other]\nca_bundle = none\n[profile  own]\n  ca_bundle = none\nca_bundle=FILE\n", "own")]
    public async Task CaBundle_InTheProfile_IsTrusted(string config, string? profile)
    {
        string file = _folder.File("config");
        await File.WriteAllTextAsync(file, config.Replace("FILE", _bundle, StringComparison.Ordinal));
        _environment["AWS_CONFIG_FILE"] = file;
        string[] line = profile is null ? ["ls", "s3://bucket"] : ["ls", "s3://bucket", "--profile", profile];
        if (profile is not null)
        {
            _environment["AWS_SHARED_CREDENTIALS_FILE"] = _folder.File("credentials");
            await File.WriteAllTextAsync(_folder.File("credentials"), $"[{profile}]\naws_access_key_id = {_server.AccessKeyId}\naws_secret_access_key = {_server.SecretAccessKey}\n");
        }

        (await RunAsync(line)).Expect(0);

        await File.WriteAllTextAsync(file, config.Replace("FILE", "there-is-none", StringComparison.Ordinal));
        Assert.Contains($"ca_bundle of profile {profile ?? "default"} got 'there-is-none'", (await RunAsync(line)).Expect(2).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cp", "s3://bucket/k", "-")]
    [InlineData("ls", "s3://bucket")]
    [InlineData("abort", "s3://bucket")]
    public async Task NoCaBundle_StoreIsRejectedAndTheErrorSaysWhatToDo(params string[] line)
    {
        ToolOutcome outcome = (await RunAsync(line)).Expect(1);

        Assert.Matches("untrusted certificate authority|UntrustedRoot|PartialChain", outcome.Error);
        Assert.Contains("--ca-bundle", outcome.Error, StringComparison.Ordinal);
        Assert.Empty(_server.Requests);
    }

    [Fact]
    public async Task CaBundle_NotACertificateFile_IsAUsageError()
    {
        string empty = _folder.File("empty.pem");
        await File.WriteAllTextAsync(empty, "no certificate\n");

        ToolOutcome missing = (await RunAsync("ls", "s3://bucket", "--ca-bundle", _folder.File("none.pem"))).Expect(2);
        ToolOutcome without = (await RunAsync("ls", "s3://bucket", "--ca-bundle", empty)).Expect(2);
        ToolOutcome folder = (await RunAsync("ls", "s3://bucket", "--ca-bundle", _folder.Path)).Expect(2);
        _environment["AWS_CA_BUNDLE"] = empty;
        ToolOutcome variable = (await RunAsync("ls", "s3://bucket")).Expect(2);

        Assert.All([missing, without, folder], outcome => Assert.Contains("--ca-bundle got '", outcome.Error, StringComparison.Ordinal));
        Assert.Contains("can't be read", missing.Error, StringComparison.Ordinal);
        Assert.Contains("has no certificate in it", without.Error, StringComparison.Ordinal);
        Assert.Contains("AWS_CA_BUNDLE got '", variable.Error, StringComparison.Ordinal);
        Assert.Equal(0, _server.Statistics.AcceptedConnections); // the error was detected before any connection
    }

    [Theory]
    [InlineData()]
    [InlineData("--quiet")]
    [InlineData("--json")]
    [InlineData("--quiet", "--json")]
    public async Task Insecure_SucceedsAndWarnsEachTime(params string[] options)
    {
        ToolOutcome outcome = (await RunAsync(["cp", _bundle, "s3://bucket/k", "--insecure", .. options])).Expect(0);

        Assert.Contains("WARNING: --insecure", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("WARNING", outcome.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Insecure_InTheEnvironment_IsIgnored()
    {
        _environment["TRANSFER_INSECURE"] = "1";

        (await RunAsync("ls", "s3://bucket")).Expect(1);
    }

    private Task<ToolOutcome> RunAsync(params string[] arguments) => ToolProcess.RunAsync(_environment, arguments);
}
