namespace Transfer.Tests.Infrastructure;

/// <summary>A test that doesn't run on Windows.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class UnixFactAttribute : FactAttribute
{
    public UnixFactAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Windows has no mode bits.";
        }
    }
}
