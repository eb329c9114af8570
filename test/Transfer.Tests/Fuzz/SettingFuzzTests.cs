using System.CommandLine;
using System.Globalization;
using System.Numerics;
using System.Text.RegularExpressions;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Cli;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Sizes, durations, and switches on the command line and in environment variables.</summary>
public sealed class SettingFuzzTests
{
    private static readonly Regex NumberWithUnit = new("^(?<whole>[0-9]*)(\\.(?<fraction>[0-9]*))?\\s*(?<unit>[A-Za-z]*)\\z", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking);
    private static readonly string[] SizeTexts = ["0", "8MiB", "512 KiB", "7MB", "1.5GiB", "5TiB", "1048576", "40MiB/s", "9223372036854775807B"];
    private static readonly string[] SizeWords = ["B", "K", "KB", "KiB", "kib", "M", "MiB", "GB", "GiB", "TB", "TiB", "PiB", "/s"];

    // The units and their factors.
    private static readonly Dictionary<string, long> Units = new(StringComparer.OrdinalIgnoreCase)
    {
        [""] = 1,
        ["B"] = 1,
        ["K"] = 1L << 10,
        ["M"] = 1L << 20,
        ["G"] = 1L << 30,
        ["T"] = 1L << 40,
        ["KiB"] = 1L << 10,
        ["MiB"] = 1L << 20,
        ["GiB"] = 1L << 30,
        ["TiB"] = 1L << 40,
        ["KB"] = 1000,
        ["MB"] = 1_000_000,
        ["GB"] = 1_000_000_000,
        ["TB"] = 1_000_000_000_000,
    };

    [Fact]
    public Task Size_AnyText_EqualsTheGrammar() => Fuzzer.TextAsync(
        random => Mutation.Text(random, SizeTexts, SizeWords),
        text =>
        {
            Match match = NumberWithUnit.Match(text.Trim());
            string digits = match.Groups["whole"].Value + match.Groups["fraction"].Value;
            int decimals = match.Groups["fraction"].Length;
            bool isParsed = ByteSize.TryParse(text, out long parsed);

            // The calculation has 28 digits, which are enough for whole numbers, and for fractions of this length.
            if (decimals == 0 || digits.Length <= 15)
            {
                BigInteger scale = BigInteger.Pow(10, decimals);
                BigInteger bytes = digits.Length > 0 && Units.TryGetValue(match.Groups["unit"].Value, out long factor) ? BigInteger.Parse(digits) * factor : -1;
                bool isSize = bytes >= 0 && bytes % scale == 0 && bytes / scale <= long.MaxValue;
                Assert.Equal(isSize, isParsed);
                Assert.Equal(isSize ? (long)(bytes / scale) : 0, parsed);
            }

            Assert.True(parsed >= 0);
            Assert.Equal((isParsed, parsed), (ByteSize.TryParseRate(text + "/s", out long rate), rate));
        });

    [Fact]
    public Task Size_Written_CanBeReadBackWithItsPrecision() => Fuzzer.CheckAsync(
        random => Math.Abs(Mutation.Number(random)),
        bytes =>
        {
            string text = ByteSize.Format(bytes);
            Assert.True(text.EndsWith("PiB", StringComparison.Ordinal) || (ByteSize.TryParse(Rounded(text), out long read) && Math.Abs(read - (double)bytes) <= bytes * 0.05), text);
            Assert.Equal(bytes, ByteSize.Parse(ByteSize.FormatExact(bytes)));
            Assert.Equal(bytes, ByteSize.Parse($"{bytes}B"));
        });

    [Fact]
    public Task Duration_AnyText_IsATimeOrRejected() => Fuzzer.TextAsync(
        random => Mutation.Text(random, ["0", "40ms", "1.5s", "2 m", "1h", "1d", "10675199d"], "ms", "s", "m", "h", "d"),
        text => Assert.True(!DurationText.TryParse(text, out TimeSpan time) || time >= TimeSpan.Zero));

    [Fact]
    public Task Duration_Written_CanBeReadBack() => Fuzzer.CheckAsync(
        random => Math.Abs(Mutation.Number(random)) / TimeSpan.TicksPerMillisecond,
        milliseconds => Assert.True(
            DurationText.TryParse($"{milliseconds}ms", out TimeSpan time) && time == new TimeSpan(milliseconds * TimeSpan.TicksPerMillisecond)
                && (milliseconds % 1000 != 0 || (DurationText.TryParse($"{milliseconds / 1000}s", out TimeSpan same) && same == time))));

    [Fact]
    public Task LibraryVariable_AnyText_IsInRangeOrTheErrorNamesIt() => Fuzzer.TextAsync(
        random => Mutation.Text(random, [.. SizeTexts, "auto", "16", "1024"], SizeWords),
        text =>
        {
            EnvironmentSettings settings = new(_ => text);
            AllowInvalid<ArgumentException>("V", () => Assert.True(settings.Number("V", 1, 1024) is null or (>= 1 and <= 1024)));
            AllowInvalid<ArgumentException>("V", () => Assert.True(settings.Size("V", 1 << 20, 1L << 40) is null or (>= 1 << 20 and <= 1L << 40)));
            AllowInvalid<ArgumentException>("V", () => Assert.True(settings.RateLimit("V", TimeProvider.System)?.TotalBytesPerSecond is null or (>= 1 << 10 and <= 1L << 40)));
            Assert.InRange(settings.Taken.Count, 0, 3);
        });

    [Fact]
    public Task ToolVariable_AnyText_IsInRangeOrTheOneLineErrorNamesIt()
    {
        string[] names =
        [
            "TRANSFER_CONCURRENCY", "TRANSFER_PART_SIZE", "TRANSFER_MEMORY", "TRANSFER_LIMIT_RATE", "TRANSFER_CHECKSUM", "TRANSFER_NO_CLOBBER", "TRANSFER_DRY_RUN", "TRANSFER_PATH_STYLE",
            "TRANSFER_NO_SIGN_REQUEST", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_PROFILE", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "AWS_CA_BUNDLE",
        ];
        string[] texts = [.. SizeTexts, "auto", "16", "20MiB,up=5MiB", "down=1KiB", "crc32c", "none", "true", "0", "http://127.0.0.1:9000", "https://[::1]:9000/a", "eu-west-1", "p"];
        TransferOptions transfer = new();
        ConnectionOptions connection = new();
        RootCommand root = [];
        transfer.AddTo(root);
        connection.AddTo(root);
        ParseResult line = root.Parse([]);
        return Fuzzer.CheckAsync(
            random => (Name: names[random.Next(names.Length)], Value: Mutation.Text(random, texts, "http://", "https://", "@", "[", "]", "auto", "true", "no")),
            variable =>
            {
                OptionValues values = new(line, CliLine.Environment(variable));
                AllowInvalid<UsageException>(variable.Name, () =>
                {
                    ClientLimits settings = new TransferSettings(values, transfer, uploads: true).Limits;
                    Assert.True(settings.Concurrency is null or (>= 1 and <= 1024));
                    Assert.True(settings.PartSizeBytes is null or (>= 5 << 20 and <= 5L << 30));
                    Assert.All((long?[])[settings.Rate?.TotalBytesPerSecond, settings.Rate?.DownloadBytesPerSecond, settings.Rate?.UploadBytesPerSecond], rate => Assert.True(rate is null or (>= 1 << 10 and <= 1L << 40)));
                    Assert.True(settings.MemoryBytes is null or (>= 5 << 20 and <= 1L << 40));
                    ConnectionSettings store = ConnectionSettings.Resolve(values, connection, name => name is "p" or "default" ? new ProfileValues("r", null) : null);
                    Assert.True(store.Endpoint is null or { IsAbsoluteUri: true, Scheme: "http" or "https" });
                });
            });
    }

    // "1.5 KiB" represents any size near it, and some of these are not whole bytes.
    private static string Rounded(string text)
    {
        string[] words = text.Split(' ');
        decimal factor = Units[words[1]];
        return $"{decimal.Truncate(decimal.Parse(words[0], CultureInfo.InvariantCulture) * factor)}";
    }

    private static void AllowInvalid<TError>(string name, Action read)
        where TError : Exception
    {
        try
        {
            read();
        }
        catch (TError e)
        {
            Assert.Contains(name, e.Message, StringComparison.Ordinal);
            Assert.True(e is ArgumentException || e.Message.All(c => !char.IsControl(c)));
        }
    }
}
