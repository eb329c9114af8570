using Amazon.S3.Model;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Sdk;

namespace Transfer.S3.Tests.Wire;

/// <summary>The SDK has a property for each algorithm in each type.</summary>
public sealed class SdkChecksumsTests
{
    public static TheoryData<ChecksumAlgorithm> Algorithms => [.. ChecksumTable.Stored.Select(static entry => entry.Algorithm)];

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Set_EveryAlgorithm_SetsItsPropertyOnly(ChecksumAlgorithm algorithm)
    {
        PutObjectRequest put = new();
        UploadPartRequest part = new();
        SdkChecksums.Set(put, algorithm, "value");
        SdkChecksums.Set(part, algorithm, "value");

        Assert.All(new object[] { put, part, SdkChecksums.PartETag(new UploadedPart(1, "tag", "value"), algorithm) }, request => Assert.Equal([GetName(algorithm)], SetIn(request)));
        Assert.Null(put.DisableDefaultChecksumValidation);
        Assert.Null(put.MD5Digest);
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Of_EveryAlgorithm_ReadsItsProperty(ChecksumAlgorithm algorithm)
    {
        StoredChecksum expected = new() { Algorithm = algorithm, Value = "value", IsComposite = false };

        Assert.Equal(expected, SdkChecksums.From(With<GetObjectResponse>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<GetObjectMetadataResponse>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<ObjectPart>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<Checksum>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<PartDetail>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<PutObjectResponse>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<CompleteMultipartUploadResponse>(algorithm)));
        Assert.Equal(expected, SdkChecksums.From(With<CopyObjectResponse>(algorithm)));
        Assert.Equal("value", SdkChecksums.From(With<UploadPartResponse>(algorithm), algorithm));
        Assert.Equal("value", SdkChecksums.From(With<CopyPartResponse>(algorithm), algorithm));
    }

    [Fact]
    public void Set_ContentMd5_IsNoChecksum()
    {
        PutObjectRequest put = new();
        SdkChecksums.Set(put, ChecksumAlgorithm.ContentMd5, "value");

        Assert.EachEqual(("value", true), (put.MD5Digest, put.DisableDefaultChecksumValidation));
        Assert.Empty(SetIn(put));
    }

    /// <summary>An algorithm that the library knows and the SDK doesn't.</summary>
    [Fact]
    public void Set_UnknownAlgorithm_IsRefused()
    {
        WireException e = Assert.Throws<WireException>(() => SdkChecksums.Set(new PutObjectRequest(), (ChecksumAlgorithm)99, "value"));

        Assert.Equal(FailureKind.Final, e.Kind);
        Assert.Contains("choose another algorithm", e.Message, StringComparison.Ordinal);
    }

    private static string GetName(ChecksumAlgorithm algorithm) => ChecksumTable.Find(algorithm)!.ElementName!;

    private static T With<T>(ChecksumAlgorithm algorithm)
        where T : new()
    {
        T response = new();
        typeof(T).GetProperty(GetName(algorithm))!.SetValue(response, "value");
        return response;
    }

    private static IEnumerable<string> SetIn(object request)
        => request.GetType().GetProperties().Where(property => property.Name.StartsWith("Checksum", StringComparison.Ordinal) && property.GetValue(request) is "value").Select(property => property.Name);
}
