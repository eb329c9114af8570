using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Tests every option at its default, at both limits, and one beyond. The error names the option, its value, and its range.</summary>
public sealed class OptionTests : TransferTest
{
    private const long KiB = 1024;
    private const long MiB = 1024 * KiB;
    private const long GiB = 1024 * MiB;
    private const long TiB = 1024 * GiB;

    public static TheoryData<string, long, long, string> Ranges => new()
    {
        { nameof(TransferClientOptions.MaxConcurrency), 1, 1024, "from 1 to 1024" },
        { nameof(TransferClientOptions.DownloadPartSizeBytes), 64 * KiB, 5 * GiB, "from 64 KiB to 5 GiB" },
        { nameof(TransferClientOptions.UploadPartSizeBytes), 5 * MiB, 5 * GiB, "from 5 MiB to 5 GiB" },
        { nameof(TransferClientOptions.MultipartThresholdBytes), 0, 5 * GiB, "from 0 B to 5 GiB" },
        { nameof(TransferClientOptions.MemoryBytes), MiB, TiB, "from 1 MiB to 1 TiB" },
        { nameof(AdvancedOptions.ChunkSizeBytes), 4 * KiB, 80 * KiB, "from 4 KiB to 80 KiB" },
        { nameof(TransferClientOptions.MaxAttempts), 1, 100, "from 1 to 100" },
        { nameof(TransferClientOptions.ProgressInterval), TimeSpan.TicksPerMillisecond * 10, TimeSpan.TicksPerHour, "from 00:00:00.0100000 to 01:00:00" },
        { nameof(TransferClientOptions.StallTimeout), TimeSpan.TicksPerSecond, TimeSpan.TicksPerHour, "from 00:00:01 to 01:00:00" },
    };

    public static TheoryData<string, long, long, string> DownloadRanges => new()
    {
        { nameof(DownloadOptions.PartSizeBytes), 64 * KiB, 5 * GiB, "from 64 KiB to 5 GiB" },
        { nameof(DownloadOptions.MaxConcurrency), 1, 1024, "from 1 to 1024" },
    };

    public static TheoryData<string, long, long, string> UploadRanges => new()
    {
        { nameof(UploadOptions.PartSizeBytes), 5 * MiB, 64 * MiB, string.Empty },
        { nameof(UploadOptions.MaxConcurrency), 1, 1024, "from 1 to 1024" },
        { nameof(UploadOptions.MultipartThresholdBytes), 0, 5 * GiB, "from 0 B to 5 GiB" },
    };

    [Fact]
    public async Task Client_Defaults_Accepted()
    {
        await using TransferClient client = new(S3.Client);
        await using TransferClient other = new(S3.Client, new TransferClientOptions());

        Assert.Equal(256, client.Context.Settings.MaxConcurrency);
        Assert.InRange(client.Context.Settings.MemoryBytes, MiB, 512 * MiB);
        Assert.Throws<ArgumentNullException>(() => new TransferClient(null!));
        Assert.Throws<ArgumentNullException>(() => new TransferClient(S3.Client, new TransferClientOptions { Advanced = { TimeProvider = null! } }));
    }

    [Theory]
    [MemberData(nameof(Ranges))]
    public async Task Client_OptionAtAndBeyondItsLimits_AcceptedOrRejected(string option, long min, long max, string range)
    {
        foreach (long edge in new[] { min, max })
        {
            await using TransferClient client = new(S3.Client, Set(new TransferClientOptions(), option, edge));
        }

        foreach (long beyond in new[] { min - 1, max + 1 })
        {
            ArgumentOutOfRangeException error = Assert.Throws<ArgumentOutOfRangeException>(() => new TransferClient(S3.Client, Set(new TransferClientOptions(), option, beyond)));
            CheckMessage(error, option, beyond, range);
        }
    }

    [Theory]
    [MemberData(nameof(DownloadRanges))]
    public async Task Download_OptionAtAndBeyondItsLimits_AcceptedOrRejected(string option, long min, long max, string range)
    {
        S3.Put(10);
        TransferClient client = NewClient();
        foreach (long edge in new[] { min, max })
        {
            await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Set(new DownloadOptions(), option, edge)).Within();
        }

        int calls = S3.Calls.Count;
        foreach (long beyond in new[] { min - 1, max + 1 })
        {
            ArgumentOutOfRangeException error = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
                () => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Set(new DownloadOptions(), option, beyond)).Within());
            CheckMessage(error, option, beyond, range);
        }

        Assert.Equal(calls, S3.Calls.Count);
    }

    [Theory]
    [MemberData(nameof(UploadRanges))]
    public async Task Upload_OptionAtAndBeyondItsLimits_AcceptedOrRejected(string option, long min, long max, string range)
    {
        TransferClient client = NewClient();
        foreach (long edge in new[] { min, max })
        {
            await client.UploadAsync(new MemoryStream([1]), FakeS3.Bucket, FakeS3.Key, Set(new UploadOptions(), option, edge)).Within();
        }

        int calls = S3.Calls.Count;
        foreach (long beyond in new[] { min - 1, max + 1 })
        {
            ArgumentOutOfRangeException error = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
                () => client.UploadAsync(new MemoryStream([1]), FakeS3.Bucket, FakeS3.Key, Set(new UploadOptions(), option, beyond)).Within());
            Assert.Contains(option, error.Message, StringComparison.Ordinal);
            Assert.Contains(range, error.Message, StringComparison.Ordinal);
        }

        Assert.Equal(calls, S3.Calls.Count);
    }

    [Fact]
    public async Task Upload_UnknownChecksum_Rejected()
    {
        ArgumentOutOfRangeException error = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => NewClient().UploadAsync(
            new MemoryStream(), FakeS3.Bucket, FakeS3.Key, new UploadOptions { Checksum = (ChecksumAlgorithm)99 }).Within());

        Assert.Contains("Checksum is 99; it must be one of Auto, None, Crc64Nvme,", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "key")]
    [InlineData(" ", "key")]
    [InlineData(null, "key")]
    [InlineData("bucket", "")]
    [InlineData("bucket", null)]
    public async Task Address_Invalid_Rejected(string? bucket, string? key)
    {
        await Assert.ThrowsAnyAsync<ArgumentException>(() => NewClient().OpenReadAsync(bucket!, key!).Within());
        await Assert.ThrowsAnyAsync<ArgumentException>(() => NewClient().UploadAsync(new MemoryStream(), bucket!, key!).Within());

        Assert.Empty(S3.Calls);
    }

    private static void CheckMessage(ArgumentOutOfRangeException error, string option, long value, string range)
    {
        Assert.Contains(option, error.Message, StringComparison.Ordinal);
        Assert.Contains(range, error.Message, StringComparison.Ordinal);
        string text = option is nameof(TransferClientOptions.ProgressInterval) or nameof(TransferClientOptions.StallTimeout) ? new TimeSpan(value).ToString() : $"{value}";
        Assert.Contains(text, error.Message, StringComparison.Ordinal);
    }

    private static T Set<T>(T options, string name, long value)
    {
        if (options is TransferClientOptions client && typeof(AdvancedOptions).GetProperty(name) is not null)
        {
            Set(client.Advanced, name, value);
            return options;
        }

        System.Reflection.PropertyInfo property = typeof(T).GetProperty(name)!;
        Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        property.SetValue(options, type == typeof(TimeSpan) ? new TimeSpan(value) : Convert.ChangeType(value, type));
        return options;
    }
}
