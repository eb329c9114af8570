namespace Transfer.S3.Tests.Integrity;

public sealed class Crc32CTests : CrcConformance
{
    protected override Crc Crc => Crc.Crc32C;

    protected override ulong Polynomial => CrcBitwise.Crc32C;

    protected override int Width => 32;

    protected override string KnownBase64 => "4waSgw==";

    [Fact]
    public void Combine_KnownBlocks_KnownValue()
    {
        ulong combined = Crc.Combine(0xe3069283, 0x49cb5777, 12);

        Assert.Equal(0x76ea2ac2UL, combined);
        Assert.Equal("duoqwg==", Crc.ToBase64(combined));
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
}
