using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>What can't be signed is refused before anything is sent. <c>PresignedUploadTests</c> has what stores do.</summary>
public sealed class PresignGuardTests : TransferTest
{
    private static readonly PresignedUpload Kept = new()
    {
        Bucket = "bucket",
        Key = "key",
        UploadId = "id",
        Length = 10,
        PartSizeBytes = 5 << 20,
        Created = default,
        Lifetime = TimeSpan.FromHours(1),
        Options = new UploadOptions { Checksum = ChecksumAlgorithm.None },
    };

    [Theory]
    [InlineData(-1, null)]
    [InlineData(1, 0.5)]
    [InlineData(1, (7 * 24 * 3600) + 1.0)]
    public Task LengthOrLifetime_OutOfRange_Throws(long length, double? seconds)
        => Assert.ThrowsAnyAsync<ArgumentOutOfRangeException>(() => NewClient().PresignUploadAsync("bucket", "key", length, lifetime: seconds is { } value ? TimeSpan.FromSeconds(value) : null)).Within();

    [Theory]
    [InlineData("a/../b")]
    [InlineData("./a")]
    public async Task KeyThatBrowsersChange_Throws(string key)
    {
        ArgumentException upload = await Assert.ThrowsAsync<ArgumentException>(() => NewClient().PresignUploadAsync("bucket", key, 1)).Within();
        ArgumentException download = await Assert.ThrowsAsync<ArgumentException>(() => NewClient().PresignDownloadAsync("bucket", key)).Within();

        Assert.All([upload, download], e => Assert.Contains($"'{key}'", e.Message, StringComparison.Ordinal));
    }

    [Fact]
    public async Task OptionsThatTheSenderCantUse_Throw()
    {
        TransferClient client = NewClient();
        await Assert.ThrowsAsync<ArgumentException>(() => client.PresignUploadAsync("bucket", "key", 1, new UploadOptions { CustomerKey = new CustomerKey(new byte[32]) })).Within();
        await Assert.ThrowsAsync<ArgumentException>(() => client.PresignUploadAsync("bucket", "key", 1, new UploadOptions { Length = 2 })).Within();
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => client.PresignUploadAsync("bucket", "key", 1, new UploadOptions { Checksum = ChecksumAlgorithm.ContentMd5 })).Within();
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public Task NumberOfPart_OutOfRange_Throws(int number)
        => Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => NewClient().PresignPartAsync(Kept, number)).Within();

    [Theory]
    [InlineData(ChecksumAlgorithm.None, "AAAAAA==")]
    [InlineData(ChecksumAlgorithm.Sha256, null)]
    [InlineData(ChecksumAlgorithm.Sha256, "AAAAAA==")]
    [InlineData(ChecksumAlgorithm.Sha256, "no base64")]
    public Task ChecksumOfPart_ThatDoesntFit_Throws(ChecksumAlgorithm algorithm, string? checksum)
        => Assert.ThrowsAsync<ArgumentException>(() => NewClient().PresignPartAsync(Kept with { Options = new UploadOptions { Checksum = algorithm } }, 1, checksum)).Within();

    [Fact]
    public Task ChecksumOfTheWhole_WithoutAlgorithm_Throws()
        => Assert.ThrowsAsync<ArgumentException>(() => NewClient().CompleteUploadAsync(Kept, "AAAAAA==")).Within();

    /// <summary>A ticket that others could change, or that was damaged.</summary>
    [Fact]
    public async Task DamagedUpload_Throws()
    {
        TransferClient client = NewClient();
        foreach (PresignedUpload damaged in (PresignedUpload[])[Kept with { UploadId = string.Empty }, Kept with { Length = -1 }, Kept with { PartSizeBytes = 5 }, Kept with { Length = 50_000_000L << 20 }, Kept with { Key = string.Empty }])
        {
            await Assert.ThrowsAnyAsync<ArgumentException>(() => client.CompleteUploadAsync(damaged)).Within();
        }

        Assert.Empty(S3.Calls);
    }

    [Fact]
    public void Text_ContainsNoUrl()
    {
        PresignedPart part = new() { Number = 1, Offset = 0, Length = 10, Url = new Uri("https://host/key?X-Amz-Signature=secret") };

        Assert.DoesNotContain("secret", part.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", (Kept with { Parts = [part] }).ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ftp://host/path")]
    [InlineData("https://user:password@host/path")]
    [InlineData("https://host/")]
    [InlineData("relative")]
    public async Task UrlThatIsNone_ThrowsWithoutIt(string url)
    {
        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DownloadAsync(new Uri(url, UriKind.RelativeOrAbsolute), Stream.Null)).Within();

        Assert.DoesNotContain("password", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AnonymousClient_CantSign()
    {
        using AmazonS3Client s3 = new(new AnonymousAWSCredentials(), new AmazonS3Config { ServiceURL = "http://localhost:1", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        await using TransferClient client = new(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.PresignDownloadAsync("bucket", "key")).Within();

        Assert.Contains("the client has none", e.Message, StringComparison.Ordinal);
    }
}
