//! Teams of LANES neighbours, a power of two, that meet in workgroup memory.

struct Member {
    @builtin(local_invocation_index) index: u32,
}

var<workgroup> sh_members: array<vec4<f32>, WG_SIZE>;

fn lane_of(member: Member) -> u32 {
    return member.index % LANES;
}

fn team_of(member: Member) -> u32 {
    return member.index / LANES;
}

/// The sum over runs of `width` neighbours, for each of them.
fn sum_over(value: vec4<f32>, width: u32, member: Member) -> vec4<f32> {
    workgroupBarrier();
    sh_members[member.index] = value;
    workgroupBarrier();
    let place = member.index % width;
    for (var step = width / 2u; step > 0u; step /= 2u) {
        if place < step {
            sh_members[member.index] += sh_members[member.index + step];
        }
        workgroupBarrier();
    }
    return sh_members[member.index - place];
}

/// The sum over a team, for each of its lanes.
fn team_sum(value: vec4<f32>, member: Member) -> vec4<f32> {
    return sum_over(value, LANES, member);
}

/// The sum of team sums, for every invocation of the workgroup.
fn across_teams(sum: vec4<f32>, member: Member) -> vec4<f32> {
    return sum_over(select(vec4<f32>(), sum, vec4(lane_of(member) == 0u)), WG_SIZE, member);
}

/// The sum over the workgroup, for every invocation.
fn workgroup_total(value: f32, member: Member) -> f32 {
    return sum_over(vec4(value), WG_SIZE, member).x;
}

/// The sum of one number and the largest of two others, none below zero, over the workgroup, for every invocation.
fn workgroup_sum_and_largest(value: f32, others: vec2<f32>, member: Member) -> vec3<f32> {
    workgroupBarrier();
    sh_members[member.index] = vec4(value, others, 0.0);
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if member.index < step {
            let one = sh_members[member.index];
            let other = sh_members[member.index + step];
            sh_members[member.index] = vec4(one.x + other.x, max(one.yzw, other.yzw));
        }
        workgroupBarrier();
    }
    return sh_members[0].xyz;
}
