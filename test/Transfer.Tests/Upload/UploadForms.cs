using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

internal static class UploadForms
{
    private const int OddPiece = 100_003;

    public static Task<UploadResult> RunAsync(this UploadForm form, TransferClient client, byte[] content, TemporaryFolder folder, CancellationToken cancellationToken = default)
        => form switch
        {
            UploadForm.File => client.UploadAsync(folder.File("source", content), FakeS3.Bucket, FakeS3.Key, cancellationToken: cancellationToken),
            UploadForm.Seekable => client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key, cancellationToken: cancellationToken),
            UploadForm.Unseekable => client.UploadAsync(
                new ScriptedStream(content) { BytesPerRead = OddPiece }, FakeS3.Bucket, FakeS3.Key, cancellationToken: cancellationToken),
            UploadForm.Pipe => client.UploadAsync(
                PipeReader.Create(new ScriptedStream(content) { BytesPerRead = OddPiece }), FakeS3.Bucket, FakeS3.Key, cancellationToken: cancellationToken),
            _ => client.UploadAsync(new ReadOnlySequence<byte>(content), FakeS3.Bucket, FakeS3.Key, cancellationToken: cancellationToken),
        };
}
