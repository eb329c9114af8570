using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Server;

/// <content>Objects that are returned only with their key.</content>
public abstract partial class S3Conformance
{
    private static readonly string CustomerKey = Convert.ToBase64String(Sample.Bytes(32));

    [Fact]
    public async Task CustomerKey_OfAMultipartUpload_IsRequiredFromThenOn()
    {
        byte[] data = Sample.Bytes(1000);
        string uploadId = (await Client.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest
        {
            BucketName = BucketName,
            Key = "k",
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = CustomerKey,
        }).Within()).UploadId;
        await FailsAsync("InvalidRequest", () => UploadAsync("k", uploadId, 1, data));
        UploadPartResponse part = await Client.UploadPartAsync(new UploadPartRequest
        {
            BucketName = BucketName,
            Key = "k",
            UploadId = uploadId,
            PartNumber = 1,
            InputStream = new MemoryStream(data),
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = CustomerKey,
        }).Within();
        await CompleteAsync("k", uploadId, [new PartETag(1, part.ETag)]);

        await FailsAsync("InvalidRequest", () => Client.GetObjectAsync(BucketName, "k"));
        await FailsAsync("InvalidRequest", () => Client.CopyObjectAsync(BucketName, "k", BucketName, "copy"));
        await FailsAsync("AccessDenied", () => ReadAsync(Convert.ToBase64String(new byte[32])));
        Assert.Equal(data, await ReadAsync(CustomerKey));

        await PutAsync("k", [1]);
        await FailsAsync("InvalidRequest", () => ReadAsync(CustomerKey));

        async Task<byte[]> ReadAsync(string key)
        {
            using GetObjectResponse response = await Client.GetObjectAsync(new GetObjectRequest
            {
                BucketName = BucketName,
                Key = "k",
                ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
                ServerSideEncryptionCustomerProvidedKey = key,
            }).Within();
            return await S3Conformance.ReadAsync(response);
        }
    }
}
