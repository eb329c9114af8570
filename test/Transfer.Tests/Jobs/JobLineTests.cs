using System.Text.Json.Serialization.Metadata;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;
using Transfer.S3.Jobs;

namespace Transfer.S3.Tests.Jobs;

/// <summary>A script that reads the report of a copy can read that of a job: the library and the tool write the same fields.</summary>
public sealed class JobLineTests
{
    [Fact]
    public void Fields_AreThoseOfTheReportOfTheTool()
    {
        Dictionary<string, Type> known = FieldsOf(EventJsonContext.Default.ReportJson);
        Dictionary<string, Type> written = FieldsOf(JobJson.Default.JobLine);
        Assert.True(written.Remove("item") & written.Remove("shard"));
        Assert.True(written.Remove("upload") & written.Remove("parts") & written.Remove("file")); // results have them, and the report doesn't
        Assert.Equal(typeof(JobChecksum), written["checksum"]);
        Assert.Equal(typeof(ChecksumJson), known["checksum"]);
        written["checksum"] = typeof(ChecksumJson);

        Assert.All(written, field => Assert.Equal(known.GetValueOrDefault(field.Key), field.Value));
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc64Nvme)]
    [InlineData(ChecksumAlgorithm.Crc32C)]
    [InlineData(ChecksumAlgorithm.Crc32)]
    [InlineData(ChecksumAlgorithm.Sha256)]
    [InlineData(ChecksumAlgorithm.Sha1)]
    [InlineData(ChecksumAlgorithm.Md5)]
    [InlineData(ChecksumAlgorithm.Sha512)]
    [InlineData(ChecksumAlgorithm.XxHash64)]
    [InlineData(ChecksumAlgorithm.XxHash3)]
    [InlineData(ChecksumAlgorithm.XxHash128)]
    [InlineData(ChecksumAlgorithm.None)]
    public void Checksum_IsThatOfTheReportOfTheTool(ChecksumAlgorithm algorithm)
    {
        ChecksumMismatchException mismatch = new("different") { Algorithm = algorithm, Actual = "AAAA" };

        JobChecksum job = JobChecksum.From(mismatch);

        Assert.Equal(ChecksumJson.From(mismatch), new ChecksumJson(job.Algorithm, job.Verdict, job.Value));
        Assert.Equal(FieldsOf(EventJsonContext.Default.ChecksumJson).Keys.Order(), FieldsOf(JobJson.Default.JobChecksum).Keys.Order());
    }

    private static Dictionary<string, Type> FieldsOf(JsonTypeInfo type)
        => type.Properties.Where(property => property.Get is not null).ToDictionary(property => property.Name, property => property.PropertyType);
}
