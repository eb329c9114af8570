using Amazon.Runtime;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class ConnectionSettingsTests
{
    [Fact]
    public void Resolve_EndpointOnTheCommandLine_OverridesEnvironmentAndProfile()
    {
        ConnectionSettings settings = Resolve(
            "--endpoint-url http://line:1", ("AWS_ENDPOINT_URL_S3", "http://s3:2"), ("AWS_ENDPOINT_URL", "http://all:3"), ("AWS_PROFILE", "p"));
        Assert.Equal("http://line:1/", settings.Endpoint?.ToString());
    }

    [Fact]
    public void Resolve_EndpointOfS3InTheEnvironment_OverridesTheGeneralOne()
        => Assert.Equal("http://s3:2/", Resolve("", ("AWS_ENDPOINT_URL", "http://all:3"), ("AWS_ENDPOINT_URL_S3", "http://s3:2")).Endpoint?.ToString());

    [Fact]
    public void Resolve_EndpointInTheProfile_IsUsedLast()
    {
        Assert.Equal("http://profile:4/", Resolve("", ("AWS_PROFILE", "p")).Endpoint?.ToString());
        Assert.Equal("http://all:3/", Resolve("--profile p", ("AWS_ENDPOINT_URL", "http://all:3")).Endpoint?.ToString());
    }

    [Fact]
    public void Resolve_ConfiguredEndpointsAreIgnored_UsesOnlyTheCommandLine()
    {
        Assert.Null(Resolve("--profile p", ("AWS_ENDPOINT_URL", "http://all:3"), ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")).Endpoint);
        Assert.NotNull(Resolve("--endpoint-url http://line:1", ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")).Endpoint);
    }

    [Fact]
    public void Resolve_Region_UsesCommandLineThenEnvironmentThenProfileThenDefault()
    {
        Assert.Equal("r1", Resolve("--region r1 --profile p", ("AWS_REGION", "r2"), ("AWS_DEFAULT_REGION", "r3")).Region);
        Assert.Equal("r2", Resolve("--profile p", ("AWS_REGION", "r2"), ("AWS_DEFAULT_REGION", "r3")).Region);
        Assert.Equal("r3", Resolve("--profile p", ("AWS_DEFAULT_REGION", "r3")).Region);
        Assert.Equal("profile-region", Resolve("--profile p").Region);
        Assert.Equal("us-east-1", Resolve("--endpoint-url http://line:1").Region);
    }

    [Fact]
    public void Resolve_NoRegionForAmazon_ErrorSaysHowToSetIt()
        => Assert.Contains("--region", Assert.Throws<UsageException>(() => Resolve("")).Message, StringComparison.Ordinal);

    [Fact]
    public void Resolve_PathStyle_IsTheDefaultForCustomEndpoints()
    {
        Assert.True(Resolve("--endpoint-url http://line:1").PathStyle);
        Assert.False(Resolve("--endpoint-url http://line:1 --path-style=false").PathStyle);
        Assert.False(Resolve("--endpoint-url http://line:1", ("TRANSFER_PATH_STYLE", "0")).PathStyle);
        Assert.False(Resolve("--region r").PathStyle);
        Assert.True(Resolve("--region r --path-style").PathStyle);
    }

    [Theory]
    [InlineData("not-an-address")]
    [InlineData("ftp://host")]
    [InlineData("http://user:secret@host")]
    [InlineData("http://host/?a=b")]
    public void Resolve_InvalidEndpoint_ErrorNamesTheVariable(string text)
        => Assert.Contains("AWS_ENDPOINT_URL_S3", Assert.Throws<UsageException>(() => Resolve("", ("AWS_ENDPOINT_URL_S3", text))).Message, StringComparison.Ordinal);

    [Fact]
    public void Resolve_UnknownProfile_ErrorNamesItsSource()
    {
        Assert.Contains("--profile got 'nobody'", Assert.Throws<UsageException>(() => Resolve("--profile nobody --region r")).Message, StringComparison.Ordinal);
        Assert.Contains("AWS_PROFILE got 'nobody'", Assert.Throws<UsageException>(() => Resolve("--region r", ("AWS_PROFILE", "nobody"))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Resolve_IncompleteKeyPair_ErrorDoesNotShowTheSecret()
    {
        UsageException error = Assert.Throws<UsageException>(() => Resolve("--region r", ("AWS_SECRET_ACCESS_KEY", "hush")));
        Assert.Contains("AWS_ACCESS_KEY_ID", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--profile p", "AWS_ACCESS_KEY_ID")]
    [InlineData("--profile p", "AWS_SECRET_ACCESS_KEY")]
    [InlineData("--region r --no-sign-request", "AWS_ACCESS_KEY_ID")]
    [InlineData("--region r --no-sign-request", "AWS_SECRET_ACCESS_KEY")]
    public void Resolve_IncompleteKeyPairIsNotUsed_IsAccepted(string line, string variable) => Assert.Null(Resolve(line, (variable, "hush")).Keys);

    [Fact]
    public void Resolve_ProfileOnTheCommandLine_IsExplicit()
    {
        Assert.True(Resolve("--profile p").IsProfileExplicit);
        Assert.False(Resolve("", ("AWS_PROFILE", "p")).IsProfileExplicit);
    }

    [Theory]
    [InlineData("http://user:hush@host")]
    [InlineData("https://hush@host:9000/")]
    [InlineData("https://host/?X-Amz-Signature=hush")]
    [InlineData("user:hush@host")]
    public void Resolve_EndpointWithSecrets_IsRejectedWithoutShowingThem(string text)
    {
        UsageException e = Assert.Throws<UsageException>(() => Resolve("--endpoint-url " + text));

        Assert.Contains("--endpoint-url got '", e.Message, StringComparison.Ordinal);
        Assert.Contains("host", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--insecure --ca-bundle f --region r", "specify only one of them")]
    [InlineData("--insecure --endpoint-url http://host", "--insecure is for HTTPS")]
    public void Resolve_InsecureWithConflictingOptions_IsRejected(string line, string expected)
        => Assert.Contains(expected, Assert.Throws<UsageException>(() => Resolve(line)).Message, StringComparison.Ordinal);

    [Fact]
    public void Resolve_Insecure_IsReadFromTheCommandLineOnlyAndOverridesABundle()
    {
        Assert.False(Resolve("--region r", ("TRANSFER_INSECURE", "1")).IsInsecure);
        Assert.False(Resolve("--region r --insecure=false", ("TRANSFER_INSECURE", "1")).IsInsecure);
        ConnectionSettings settings = Resolve("--region r --insecure", ("AWS_CA_BUNDLE", "f"));
        Assert.EachEqual((true, null), (settings.IsInsecure, settings.CaBundle));
    }

    [Theory]
    [InlineData("http://store:9000", true)]
    [InlineData("http://192.0.2.1", true)]
    [InlineData("http://127.0.0.2:9000", false)]
    [InlineData("http://[::1]:9000", false)]
    [InlineData("http://localhost", false)]
    [InlineData("https://store", false)]
    public void PlainHttp_ToAnotherMachine_WarnsOnce(string endpoint, bool expected)
    {
        (string plain, string quiet) = (Use(endpoint, quiet: false), Use(endpoint, quiet: true));

        Assert.Equal(expected ? $"transfer: warning: {new Uri(endpoint)} uses plain HTTP; anyone on the network path can read and change what is sent\n" : string.Empty, plain.ReplaceLineEndings("\n"));
        Assert.Empty(quiet);
    }

    [Theory]
    [InlineData("--endpoint-url http://line:1 --from-endpoint-url http://from:5", "http://from:5/")]
    [InlineData("--endpoint-url http://line:1 --to-endpoint-url http://to:5", "http://line:1/")]
    [InlineData("--endpoint-url http://line:1 --from-profile p", "http://line:1/")]
    [InlineData("--from-profile p", "http://profile:4/")]
    [InlineData("--to-profile p", "http://all:3/")]
    [InlineData("--profile p", "http://all:3/")]
    public void Resolve_OptionOfOneStore_AppliesToThatStoreOnly(string line, string expected)
        => Assert.Equal(expected, ResolveSource(line, ("AWS_ENDPOINT_URL", "http://all:3")).Endpoint?.ToString());

    [Fact]
    public void Resolve_OptionsOfTheSource_OverrideThoseOfBothStores()
    {
        ConnectionSettings settings = ResolveSource(
            "--region r1 --from-region r2 --from-no-sign-request --from-path-style=false --from-ca-bundle f --ca-bundle g --endpoint-url https://line:1", ("AWS_REGION", "r3"));

        Assert.EachEqual(("r2", true, false, "f"), (settings.Region, settings.IsAnonymous, settings.PathStyle, settings.CaBundle?.Text));
        Assert.Equal("r1", ResolveSource("--region r1 --from-profile p").Region);
        Assert.Equal("profile-region", ResolveSource("--from-profile p", ("AWS_REGION", "r3")).Region);
        Assert.Null(ResolveSource("--from-profile p", ("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")).Keys);
        Assert.NotNull(ResolveSource("--region r --to-profile p", ("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")).Keys);
    }

    [Theory]
    [InlineData("--insecure --from-ca-bundle f --endpoint-url https://h", false, "f")]
    [InlineData("--insecure --from-insecure=false --endpoint-url https://h", false, "env")]
    [InlineData("--insecure --to-ca-bundle f --endpoint-url https://h", true, null)]
    [InlineData("--ca-bundle f --from-insecure --endpoint-url https://h", true, null)]
    [InlineData("--ca-bundle f --to-insecure --endpoint-url https://h", false, "f")]
    [InlineData("--insecure --from-endpoint-url http://h", false, "env")]
    [InlineData("--ca-bundle f --from-endpoint-url http://h", false, "env")]
    public void Resolve_TrustOfOneStore_TakesPrecedence(string line, bool insecure, string? bundle)
    {
        ConnectionSettings settings = ResolveSource(line, ("AWS_CA_BUNDLE", "env"));
        Assert.EachEqual((insecure, bundle), (settings.IsInsecure, settings.CaBundle?.Text));
    }

    [Theory]
    [InlineData("--insecure --ca-bundle f --endpoint-url https://h", "--insecure and --ca-bundle contradict")]
    [InlineData("--from-insecure --from-ca-bundle f --endpoint-url https://h", "--from-insecure and --from-ca-bundle contradict")]
    [InlineData("--from-insecure --endpoint-url http://h", "--from-insecure is for HTTPS")]
    [InlineData("--from-ca-bundle f --from-endpoint-url http://h", "--from-ca-bundle is for HTTPS")]
    public void Resolve_ContradictionsOfOneStore_AreRejected(string line, string expected)
        => Assert.StartsWith(expected, Assert.Throws<UsageException>(() => ResolveSource(line)).Message, StringComparison.Ordinal);

    [Fact]
    public void OfSourceAndOfTarget_HaveEachConnectionOption()
    {
        string[] names = [.. new ConnectionOptions().All.Select(option => option.Name.TrimStart('-')).Where(static name => name != "retry-for")]; // it is for the whole command
        Assert.Equal(names.Select(name => "--from-" + name), ConnectionOptions.OfSource().All.Select(option => option.Name));
        Assert.Equal(names.Select(name => "--to-" + name), ConnectionOptions.OfTarget().All.Select(option => option.Name));
        Assert.Contains("insecure", names);
    }

    [Fact]
    public void Resolve_Checksums_UsesEnvironmentThenProfile()
    {
        ProfileValues profile = new("r", null, RequestChecksumCalculation.WHEN_REQUIRED, ResponseChecksumValidation.WHEN_REQUIRED);
        Assert.Equal(((RequestChecksumCalculation?)null, (ResponseChecksumValidation?)null), Of(new ProfileValues("r", null)));
        Assert.Equal((RequestChecksumCalculation.WHEN_REQUIRED, ResponseChecksumValidation.WHEN_REQUIRED), Of(profile));
        Assert.Equal(
            (RequestChecksumCalculation.WHEN_SUPPORTED, ResponseChecksumValidation.WHEN_REQUIRED),
            Of(profile, ("AWS_REQUEST_CHECKSUM_CALCULATION", "when_supported")));
        Assert.Equal(
            (RequestChecksumCalculation.WHEN_REQUIRED, ResponseChecksumValidation.WHEN_SUPPORTED),
            Of(new ProfileValues("r", null), ("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required"), ("AWS_RESPONSE_CHECKSUM_VALIDATION", "WHEN_SUPPORTED")));

        static (RequestChecksumCalculation?, ResponseChecksumValidation?) Of(ProfileValues profile, params (string Name, string Value)[] environment)
        {
            ConnectionOptions options = new();
            ConnectionSettings settings = ConnectionSettings.Resolve(CliLine.Values(options.AddTo, "", environment), options, _ => profile);
            return (settings.RequestChecksums, settings.ResponseChecksums);
        }
    }

    [Theory]
    [InlineData("", null, null)]
    [InlineData("--retry-for 0", null, 0)]
    [InlineData("--retry-for 90", null, 90)]
    [InlineData("--retry-for 10m", "5s", 600)]
    [InlineData("", "5s", 5)]
    public void Resolve_RetryFor_UsesTheLineThenTheEnvironment(string line, string? variable, int? seconds)
    {
        ConnectionOptions options = new();
        (string, string)[] environment = variable is null ? [] : [("TRANSFER_RETRY_FOR", variable)];

        ConnectionSettings settings = ConnectionSettings.Resolve(CliLine.Values(options.AddTo, line, environment), options, _ => new ProfileValues("r", null));

        Assert.Equal(seconds, (int?)settings.RetryFor?.TotalSeconds);
    }

    [Theory]
    [InlineData("25h")]
    [InlineData("-1")]
    [InlineData("soon")]
    public void Resolve_WrongRetryFor_SaysWhatIsAccepted(string text)
    {
        ConnectionOptions options = new();
        UsageException e = Assert.Throws<UsageException>(() => ConnectionSettings.Resolve(CliLine.Values(options.AddTo, $"--retry-for={text}"), options, _ => new ProfileValues("r", null)));
        Assert.StartsWith($"--retry-for got '{text}'; it accepts a time from 0 to 1d", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", null, "p.pem")]
    [InlineData("", "e.pem", "e.pem")]
    [InlineData("--ca-bundle l.pem", "e.pem", "l.pem")]
    [InlineData("--insecure", null, null)]
    public void Resolve_CaBundle_UsesTheLineThenTheEnvironmentThenTheProfile(string line, string? variable, string? expected)
    {
        ConnectionOptions options = new();
        (string, string)[] environment = variable is null ? [] : [("AWS_CA_BUNDLE", variable)];

        ConnectionSettings settings = ConnectionSettings.Resolve(CliLine.Values(options.AddTo, line, environment), options, _ => new ProfileValues("r", null) { CaBundle = "p.pem" });

        Assert.Equal(expected, settings.CaBundle?.Text);
    }

    /// <summary>An error of the environment names the variable.</summary>
    [Theory]
    [InlineData("AWS_REQUEST_CHECKSUM_CALCULATION", "nonsense")]
    [InlineData("AWS_REQUEST_CHECKSUM_CALCULATION", "1")]
    [InlineData("AWS_RESPONSE_CHECKSUM_VALIDATION", "nonsense")]
    [InlineData("AWS_ENDPOINT_URL", "nonsense")]
    [InlineData("AWS_ENDPOINT_URL_S3", "ftp://a")]
    [InlineData("AWS_PROFILE", "nonsense")]
    [InlineData("AWS_ACCESS_KEY_ID", "only")]
    [InlineData("AWS_SECRET_ACCESS_KEY", "only")]
    public void Resolve_WrongVariable_ErrorNamesIt(string name, string value)
        => Assert.Contains(name, Assert.Throws<UsageException>(() => Resolve("--region r", (name, value))).Message, StringComparison.Ordinal);

    private static string Use(string endpoint, bool quiet)
    {
        ConnectionOptions options = new();
        OptionValues values = CliLine.Values(options.AddTo, "--endpoint-url " + endpoint);
        using StringWriter error = new();
        using ToolConsole console = new(TextWriter.Null, error);
        Invocation invocation = new(values, new OutputSettings(Json: true, quiet, ProgressMode.None), console, TimeProvider.System);
        invocation.Use(ConnectionSettings.Resolve(values, options, _ => null));
        return error.ToString();
    }

    private static ConnectionSettings ResolveSource(string line, params (string Name, string Value)[] environment)
    {
        ConnectionOptions options = new();
        (ConnectionOptions from, ConnectionOptions to) = (ConnectionOptions.OfSource(), ConnectionOptions.OfTarget());
        OptionValues values = CliLine.Values(
            command =>
            {
                options.AddTo(command);
                foreach (System.CommandLine.Option option in from.All.Concat(to.All))
                {
                    command.Add(option);
                }
            },
            line,
            environment);
        return ConnectionSettings.Resolve(values, options, name => name == "p" ? new ProfileValues("profile-region", "http://profile:4") : null, side: from);
    }

    private static ConnectionSettings Resolve(string line, params (string Name, string Value)[] environment)
    {
        ConnectionOptions options = new();
        return ConnectionSettings.Resolve(
            CliLine.Values(options.AddTo, line, environment), options, name => name == "p" ? new ProfileValues("profile-region", "http://profile:4") : null);
    }
}
