using System.Reflection;
using System.Text.Json;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Jobs;

/// <summary>A plan contains every option that changes what is written, and no secret.</summary>
public sealed class PlannedOptionsTests
{
    /// <summary>Options that belong to a process or a condition, or that a job refuses.</summary>
    private static readonly HashSet<string> NotPlanned =
    [
        "Hint", "MaxConcurrency", "VersionId", "Range", "IfMatch", "IfNoneMatch", "IfModifiedSince", "IfUnmodifiedSince", "CustomerKey", "Overwrite", "RateLimit", "Events", "Handle",
        "SourceVersionId", "Length", "AllowedLosses",
    ];

    [Theory]
    [InlineData(typeof(UploadOptions), typeof(PlannedUpload))]
    [InlineData(typeof(DownloadOptions), typeof(PlannedDownload))]
    [InlineData(typeof(CopyOptions), typeof(PlannedCopy))]
    public void EveryOption_IsPlannedOrBelongsToAProcess(Type options, Type planned)
    {
        IEnumerable<string> headers = planned == typeof(PlannedUpload) ? HeaderSamples.All.Select(header => header.Option) : [];
        string[] names = [.. planned.GetProperties().Select(property => property.Name.Replace("DoesNot", string.Empty, StringComparison.Ordinal)), .. headers];
        string[] missing = [.. options.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(property => property.Name).Except(names).Where(name => !NotPlanned.Contains(name))];
        Assert.Empty(missing);
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
            Lock = new ObjectLock { Mode = RetentionMode.Compliance, RetainUntil = DateTimeOffset.UnixEpoch, LegalHold = true },
        };
        options = HeaderSamples.All.Aggregate(options, (changed, header) => changed.With(header));
        string json = JsonSerializer.Serialize(new JobPlanDocument(NewPlan(), new PlanExtra { Options = new PlannedOptions { Upload = PlannedUpload.From(options) } }), JobJson.Default.JobPlanDocument);

        UploadOptions read = JsonSerializer.Deserialize(json, JobJson.Default.JobPlanDocument)!.Extra.Options.Upload!.ToOptions();

        Assert.Equal(options, read);
        Assert.Contains("\"storage_class\":\"text/x-6\"", json, StringComparison.Ordinal); // as in plans of earlier versions
    }

    private static JobPlan NewPlan() => new()
    {
        Version = 1,
        Id = "0123456789abcdef",
        Created = DateTimeOffset.UnixEpoch,
        Source = new Place { Path = "/a" },
        Target = new Place { Bucket = "b", Prefix = string.Empty },
        Shards = [],
    };
}
