using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Transfer.S3.Cli.Options;
using Transfer.S3.Configuration;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Cli;

namespace Transfer.S3.Tests.Configuration;

/// <summary>A variable with a size or rates means the same to the tool and to a program, and so does the same text in a configuration section.</summary>
public sealed class SizeVariableTests
{
    private const string LimitRate = "TRANSFER_LIMIT_RATE";
    private const string Rejected = "rejected";

    /// <summary>All of them are in the range of every option, if they are sizes.</summary>
    private static readonly string[] Texts =
        ["8388608", "8MiB", "8M", "8 mib", " 8 MB ", "6.5MiB", "1.5g", "1GB", "0.002TB", "8MiB/s", "8M/S,up=6MB", "none", "", "8X", "8PiB", "1e9", "-8MiB", "1,5MiB", "8000000.5", "8MiB,8MiB"];

    public static TheoryData<string> Variables
        => [.. ClientOptionTable.All.Where(option => option.Variable is not null && (option.Unit == ClientOptionTable.Bytes || option.Variable == LimitRate)).Select(option => option.Variable!)];

    [Theory]
    [MemberData(nameof(Variables))]
    public void Variable_OfTheLibrary_MeansTheSameEverywhere(string variable)
    {
        string name = ClientOptionTable.All.Single(option => option.Variable == variable).Name;
        string[] byProgram = [.. Texts.Select(text => ReadByProgram((variable, text)))];

        Assert.Equal(byProgram, Texts.Select(text => ReadByTool((variable, text))));
        Assert.Equal(byProgram, Texts.Select(text => ReadByConfiguration(name, text)));
        Assert.Equal(variable == LimitRate ? 13 : 10, byProgram.Count(result => result != Rejected));
    }

    [Fact]
    public void PartSize_OfTheTool_MeansTheSameAsTheVariablesOfTheLibrary()
        => Assert.Equal(
            Texts.Select(text => ReadByProgram(("TRANSFER_DOWNLOAD_PART_SIZE", text), ("TRANSFER_UPLOAD_PART_SIZE", text))),
            Texts.Select(text => ReadByTool(("TRANSFER_PART_SIZE", text))));

    private static string ReadByTool(params (string Name, string Value)[] environment) => Read(() =>
    {
        TransferOptions options = new();
        OptionValues values = CliLine.Values(options.AddTo, string.Empty, environment);
        return new TransferSettings(values, options, uploads: true).Limits.ToClientOptions(values.Environment);
    });

    private static string ReadByProgram(params (string Name, string Value)[] environment)
        => Read(() => new TransferClientOptions { Advanced = { EnvironmentVariables = CliLine.Environment(environment).Get } });

    private static string ReadByConfiguration(string name, string text) => Read(() =>
    {
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection([new($"Transfer:{name}", text)]).Build();
        TransferClientOptions options = new() { Advanced = { EnvironmentVariables = _ => null } };
        OptionsReader.Read(configuration.GetSection("Transfer"), options, string.Empty);
        return options;
    });

    private static string Read(Func<TransferClientOptions> getOptions)
    {
        try
        {
            ClientSettings settings = ClientSettings.From(getOptions());
            return $"{settings.DownloadPartSizeBytes}, {settings.UploadPartSizeBytes}, {settings.MemoryBytes}, {settings.RateLimit?.ToString() ?? "none"}";
        }
        catch (Exception e) when (e is UsageException or ArgumentException or OptionsValidationException)
        {
            return Rejected;
        }
    }
}
