using System.Reflection;
using System.Text.Json;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Jobs;

/// <summary>A plan contains every option that a transfer can have, and no secret.</summary>
public sealed class PlannedOptionsTests
{
    /// <summary>Options that belong to a process, which a plan doesn't contain.</summary>
    private static readonly string[] OfProcess = [nameof(UploadOptions.RateLimit), nameof(UploadOptions.Events)];

    /// <summary>Options that the plan of a job has in another form.</summary>
    private static readonly string[] Replaced = ["UploadOptions.Overwrite", "CopyOptions.Overwrite"];

    private static readonly Dictionary<Type, object> Samples = new()
    {
        [typeof(int)] = 6,
        [typeof(long)] = 6L << 20,
        [typeof(string)] = "text/x-1",
        [typeof(ChecksumAlgorithm)] = ChecksumAlgorithm.XxHash128,
        [typeof(UnixFileMode)] = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        [typeof(DateTimeOffset)] = DateTimeOffset.UnixEpoch,
        [typeof(IReadOnlyDictionary<string, string>)] = new Dictionary<string, string> { ["Name"] = "value" },
        [typeof(IReadOnlyCollection<string>)] = new List<string> { "tags" },
        [typeof(ObjectEncryption)] = ObjectEncryption.Kms("key", "{}", true),
        [typeof(ObjectLock)] = new ObjectLock { Mode = RetentionMode.Compliance, RetainUntil = DateTimeOffset.UnixEpoch, LegalHold = true },
        [typeof(CustomerKey)] = new CustomerKey(new byte[CustomerKey.LengthBytes]),
        [typeof(ObjectHint)] = new ObjectHint { Length = 1 },
        [typeof(ObjectRange)] = ObjectRange.From(1),
        [typeof(RateLimit)] = new RateLimit(),
        [typeof(TransferEvents)] = new TransferEvents(),
        [typeof(TransferHandle)] = new TransferHandle(),
    };

    public static TheoryData<string> Options =>
    [
        .. new[] { typeof(UploadOptions), typeof(DownloadOptions), typeof(CopyOptions) }
            .SelectMany(static type => type.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(property => $"{type.Name}.{property.Name}")),
    ];

    [Theory]
    [MemberData(nameof(Options))]
    public void EveryOption_IsPlannedRefusedOrOfTheProcess(string option)
    {
        string[] names = option.Split('.');
        PropertyInfo part = typeof(DirectoryOptions).GetProperty(names[0].Replace("Options", string.Empty, StringComparison.Ordinal))!;
        object options = Activator.CreateInstance(part.PropertyType)!;
        PropertyInfo property = part.PropertyType.GetProperty(names[1])!;
        object? usual = property.GetValue(options);
        Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        object sample = usual is bool isOn ? !isOn : Samples[type];
        property.SetValue(options, sample);
        DirectoryOptions directory = new();
        part.SetValue(directory, options);

        if (GetPlanned(directory) is { } planned)
        {
            object? after = property.GetValue(part.Name switch { "Upload" => ReadBack(planned).Read.Upload, "Download" => ReadBack(planned).Read.Download, _ => ReadBack(planned).Read.Copy });
            Assert.Equal(OfProcess.Contains(names[1]) || Replaced.Contains(option) ? usual : sample, after);
        }
    }

    [Fact]
    public void Upload_IsTheSameAfterAPlan()
    {
        UploadOptions options = new()
        {
            PartSizeBytes = 6 << 20,
            MultipartThresholdBytes = 7 << 20,
            Checksum = ChecksumAlgorithm.XxHash128,
            Encryption = ObjectEncryption.Kms("key", "{}", true),
            RequesterPays = true,
            Resume = false,
            KeepLastModified = true,
            KeepPermissions = true,
            KeepOwner = true,
            ReuseParts = true,
            Lock = new ObjectLock { Mode = RetentionMode.Compliance, RetainUntil = DateTimeOffset.UnixEpoch, LegalHold = true },
        };
        options = HeaderSamples.All.Aggregate(options, (changed, header) => changed.With(header));

        (string json, PlannedOptions read) = ReadBack(new PlannedOptions { Upload = options });

        Assert.Equal(options, read.Upload);
        Assert.Contains("\"storage_class\":\"text/x-6\"", json, StringComparison.Ordinal); // as in plans of earlier versions
        Assert.Contains("\"does_not_resume\":true", json, StringComparison.Ordinal);
    }

    [Fact]
    public void Defaults_AreLeftOut()
    {
        (string json, PlannedOptions read) = ReadBack(new PlannedOptions { Download = new DownloadOptions(), Upload = new UploadOptions(), Copy = new CopyOptions() });
        Assert.EndsWith("\"download\":{},\"upload\":{},\"copy\":{}}", json, StringComparison.Ordinal);
        Assert.Equal((new DownloadOptions(), new UploadOptions()), (read.Download, read.Upload));
    }

    [Fact]
    public void PlanOfAnEarlierVersion_IsRead()
    {
        const string Former = """
            {"links":"skip","download":{"align_to_stored_parts":true,"requester_pays":false,"does_not_verify":true,"does_not_verify_md5":false,"does_not_resume":false,
            "flush_to_disk":false,"file_mode":"UserRead","keep_last_modified":false,"keep_permissions":false,"keep_owner":false},
            "copy":{"part_size_bytes":6291456,"does_not_resume":true,"requester_pays":true},"upload":{"checksum":"Auto","does_not_resume":true,"encryption":{"algorithm":"AES256"}}}
            """;
        PlannedOptions read = JsonSerializer.Deserialize(Former, JobJson.Default.PlannedOptions)!;
        Assert.Equal(new DownloadOptions { AlignToStoredParts = true, Verify = false, FileMode = UnixFileMode.UserRead }, read.Download);
        Assert.Equal(new CopyOptions { PartSizeBytes = 6 << 20, Resume = false, RequesterPays = true }, read.Copy! with { AllowedLosses = new CopyOptions().AllowedLosses });
        Assert.Equal(new UploadOptions { Resume = false, Encryption = ObjectEncryption.Aes256 }, read.Upload);
    }

    [Theory]
    [InlineData("""{"upload":{"later_option":true}}""", "later_option")]
    [InlineData("""{"upload":{"encryption":{"algorithm":"later"}}}""", "'later'")]
    [InlineData("""{"upload":{"storage_class":1}}""", "storage_class")]
    [InlineData("""{"upload":[]}""", "upload")]
    public void WhatIsUnknown_IsRefused(string json, string named)
        => Assert.Contains(named, Assert.Throws<JsonException>(() => JsonSerializer.Deserialize(json, JobJson.Default.PlannedOptions)).Message, StringComparison.Ordinal);

    /// <summary>Gets what a plan has of options; null if they are refused.</summary>
    private static PlannedOptions? GetPlanned(DirectoryOptions directory)
    {
        try
        {
            JobOptions options = new() { Transfer = directory };
            JobGuard.Check(options, new JobSides(null!, null, new Place { Bucket = "b", Prefix = string.Empty }, new Place { Path = "/a" }), JobFolder.InDirectory("/b"));
            TreeGuard.Check(options.Transfer, isUpload: false);
            return PlannedOptions.From(options.Transfer, keepsTimes: false);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    private static (string Json, PlannedOptions Read) ReadBack(PlannedOptions options)
    {
        string json = JsonSerializer.Serialize(options, JobJson.Default.PlannedOptions);
        return (json, JsonSerializer.Deserialize(json, JobJson.Default.PlannedOptions)!);
    }
}
