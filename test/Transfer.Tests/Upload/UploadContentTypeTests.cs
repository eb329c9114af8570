using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

public sealed class UploadContentTypeTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    [Theory]
    [InlineData("page.html", null, "text/html")]
    [InlineData("page.html", "text/x-own", "text/x-own")]
    [InlineData("page.unheard", null, "application/octet-stream")]
    public async Task UploadAsync_File_StoresTheGivenTypeOrThatOfTheFileName(string name, string? given, string expected)
    {
        string path = Path.Combine(Folder.Path, name);
        foreach (int size in (int[])[10, Part + 1])
        {
            await File.WriteAllBytesAsync(path, new byte[size]);
            await NewClient().UploadAsync(path, FakeS3.Bucket, FakeS3.Key, new UploadOptions { ContentType = given }).Within();
        }

        Assert.Equal(expected, S3.Calls.Select(call => call.Request).OfType<PutObjectRequest>().Single().ContentType);
        Assert.Equal(expected, S3.Calls.Select(call => call.Request).OfType<InitiateMultipartUploadRequest>().Single().ContentType);
    }
}
