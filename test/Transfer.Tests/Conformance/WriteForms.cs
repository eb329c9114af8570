namespace Transfer.S3.Tests.Conformance;

internal static class WriteForms
{
    /// <summary>Writes once with the given method.</summary>
    public static async Task WriteAsync(this WriteForm form, Stream stream, byte[] buffer, int offset, int count)
    {
#pragma warning disable CA1849, CA1835 // the methods themselves are tested
        switch (form)
        {
            case WriteForm.SyncArray:
                stream.Write(buffer, offset, count);
                break;
            case WriteForm.SyncSpan:
                stream.Write(buffer.AsSpan(offset, count));
                break;
            case WriteForm.AsyncArray:
                await stream.WriteAsync(buffer, offset, count).Within();
                break;
            case WriteForm.AsyncMemory:
                await stream.WriteAsync(buffer.AsMemory(offset, count)).Within();
                break;
            default:
                await Task.Factory.FromAsync(stream.BeginWrite(buffer, offset, count, null, null), stream.EndWrite).Within();
                break;
        }
#pragma warning restore CA1849, CA1835
    }
}
