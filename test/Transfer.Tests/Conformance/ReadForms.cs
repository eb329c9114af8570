namespace Transfer.S3.Tests.Conformance;

internal static class ReadForms
{
    /// <summary>Reads once with the given method.</summary>
    public static async Task<int> ReadAsync(this ReadForm form, Stream stream, byte[] buffer, int offset, int count) => form switch
    {
#pragma warning disable CA1849, CA1835, CA2022 // the methods themselves are tested
        ReadForm.SyncArray => stream.Read(buffer, offset, count),
        ReadForm.SyncSpan => stream.Read(buffer.AsSpan(offset, count)),
        ReadForm.AsyncArray => await stream.ReadAsync(buffer, offset, count).Within(),
        ReadForm.AsyncMemory => await stream.ReadAsync(buffer.AsMemory(offset, count)).Within(),
        _ => await Task.Factory.FromAsync(stream.BeginRead(buffer, offset, count, null, null), stream.EndRead).Within(),
#pragma warning restore CA1849, CA1835, CA2022
    };
}
