namespace Transfer.Tests.Infrastructure;

/// <summary>A test of what only Linux has.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip = "Only Linux has this.";
        }
    }
}
