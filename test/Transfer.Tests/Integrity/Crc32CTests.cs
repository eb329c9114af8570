namespace Transfer.S3.Tests.Integrity;

public sealed class Crc32CTests : CrcConformance
{
    protected override ulong Polynomial => CrcBitwise.Crc32C;

    protected override int Width => 32;

    protected override string KnownBase64 => "4waSgw==";

    [Fact]
    public void Combine_KnownBlocks_KnownValue()
    {
        uint combined = Crc32C.Combine(0xe3069283, 0x49cb5777, 12);

        Assert.Equal(0x76ea2ac2U, combined);
        Assert.Equal("duoqwg==", Crc32C.ToBase64(combined));
    }

    protected override ulong KnownAnswer(string sample) => sample switch
    {
        CrcSample.Empty => 0,
        CrcSample.Digits => 0xe3069283,
        CrcSample.Letter => 0xc1d04330,
        CrcSample.Greeting => 0x49cb5777,
        CrcSample.Zeros32 => 0x8a9136aa,
        CrcSample.Ones32 => 0x62a8ab43,
        CrcSample.Ascending => 0x9c44184b,
        CrcSample.Zeros4096 => 0x98f94189,
        CrcSample.Pattern => 0xdc3e0071,
        _ => throw new ArgumentOutOfRangeException(nameof(sample), sample, "No known answer."),
    };

    protected override ulong Compute(ReadOnlySpan<byte> data) => Crc32C.Compute(data);

    protected override ulong Append(ulong crc, ReadOnlySpan<byte> data) => Crc32C.Append((uint)crc, data);

    protected override ulong Combine(ulong first, ulong second, long secondLength) => Crc32C.Combine((uint)first, (uint)second, secondLength);

    protected override string ToBase64(ulong value) => Crc32C.ToBase64((uint)value);

    protected override bool TryParseBase64(string? text, out ulong value)
    {
        bool parsed = Crc32C.TryParseBase64(text, out uint narrow);
        value = narrow;
        return parsed;
    }

    private protected override CrcInstance Create()
    {
        Crc32C crc = new();
        return new CrcInstance(piece => crc.Append(piece.Span), () => crc.Value, () => crc.Length, crc.Reset);
    }
}
