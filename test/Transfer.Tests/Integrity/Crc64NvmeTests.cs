namespace Transfer.S3.Tests.Integrity;

public sealed class Crc64NvmeTests : CrcConformance
{
    protected override Crc Crc => Crc.Crc64Nvme;

    protected override ulong Polynomial => CrcBitwise.Crc64Nvme;

    protected override int Width => 64;

    protected override string KnownBase64 => "rosUhgp5mIg=";

    [Fact]
    public void Combine_KnownBlocks_KnownValue()
    {
        ulong combined = Crc.Combine(0xae8b14860a799888, 0xd9160d1fa8e418e3, 12);

        Assert.Equal(0x2de6693cb8d8ad48UL, combined);
        Assert.Equal("LeZpPLjYrUg=", Crc.ToBase64(combined));
    }

    [Fact]
    public void Combine_PatternCutUnevenly_KnownValues()
    {
        byte[] data = CrcSample.Get(CrcSample.Pattern);

        Assert.Equal(0x62d71f4e56ab024eUL, Crc.Compute(data.AsSpan(0, 700001)));
        Assert.Equal(0xa174577f9764fd78UL, Crc.Compute(data.AsSpan(700001)));
        Assert.Equal(0x8821d9f150fec9fcUL, Crc.Combine(0x62d71f4e56ab024e, 0xa174577f9764fd78, 348575));
    }

    [Fact]
    public void Combine_EightMebibytesOfZeros_KnownValue()
    {
        ulong one = Crc.Compute(new byte[1 << 20]);
        ulong all = 0;
        for (int i = 0; i < 8; i++)
        {
            all = Crc.Combine(all, one, 1 << 20);
        }

        Assert.Equal(0xa1fd769008ac8f5dUL, all);
    }

    [Fact]
    public void Compute_TenDigits_ValueThatAServerAccepted() =>
        Assert.Equal(0x15f9b1ee4cfd9c1dUL, Crc.Compute("0123456789"u8));

    protected override ulong KnownAnswer(string sample) => sample switch
    {
        CrcSample.Empty => 0,
        CrcSample.Digits => 0xae8b14860a799888,
        CrcSample.Letter => 0x8c2f8445b4cbfc3c,
        CrcSample.Greeting => 0xd9160d1fa8e418e3,
        CrcSample.Zeros32 => 0xcf3473434d4ecf3b,
        CrcSample.Ones32 => 0xa0a06974c34d63c4,
        CrcSample.Ascending => 0xff71e21279d9966e,
        CrcSample.Zeros4096 => 0x6482d367eb22b64e,
        CrcSample.Pattern => 0x8821d9f150fec9fc,
        _ => throw new ArgumentOutOfRangeException(nameof(sample), sample, "No known answer."),
    };
}
